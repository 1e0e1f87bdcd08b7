/** ISO 8601 text of instants. Those that are sent follow each other closely, and `Date` is slow: a second's is made once. */
export class InstantText {
  #second = NaN
  #head = ''

  /** @param ms milliseconds since 1970, within the range of `Date` */
  of(ms: number): string {
    const second = Math.floor(ms / 1000)
    if (second !== this.#second) {
      this.#head = new Date(second * 1000).toISOString().slice(0, -4)
      this.#second = second
    }
    return `${this.#head}${String(Math.floor(ms) - second * 1000).padStart(3, '0')}Z`
  }
}
