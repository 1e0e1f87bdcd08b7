export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** Half the distance between the quartiles, relative to the median: how far the runs lay apart. */
export function spread(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]
  return (at(0.75) - at(0.25)) / 2 / Math.abs(median(values) || 1)
}
