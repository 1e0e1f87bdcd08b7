export const compareTypes = () => {
  throw new Error('not yet')
}
