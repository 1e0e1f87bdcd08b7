/** What receives the reply to one POST. Exactly one of `end` and `fail` is called, last. */
export interface HttpSink {
  /**
   * Status and headers are there.
   *
   * @param header gives a header by its lower-case name
   * @returns how the body is wanted: in one piece, or as it comes
   */
  head(status: number, header: (name: string) => string | undefined): 'whole' | 'pieces'
  /** The body, decoded from UTF-8: once if `whole`, else as often as something arrives. */
  text(piece: string): void
  end(): void
  /**
   * @param error a `RangeError` when the reply itself cannot be used
   * @param unsent whether nothing was sent, because a header is not fit for HTTP
   */
  fail(error: unknown, unsent?: boolean): void
}

/** Connections to one origin. What differs between hosts is behind `#http`. */
export interface HttpClient {
  /**
   * Sends a POST. Redirects are not followed: a header such as `Authorization` must not travel to where nobody meant it.
   *
   * @returns what gives up the request, closing its connection if need be; `sink.fail` is then called with `error`
   */
  post(path: string, headers: Readonly<Record<string, string>>, body: string, sink: HttpSink): (error: unknown) => void
  /** Closes connections at once; requests under way fail. */
  close(): Promise<void>
}

/** What is said of a reply that is no text (basic/transports, "Messages"). */
export const NOT_UTF8 = 'The reply is not UTF-8'

/** Bounds of a reply. */
export interface HttpLimits {
  /** Bytes of a whole body. */
  readonly maxBytes: number
}
