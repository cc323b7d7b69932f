/** “Slow 4G” of Chromium's developer tools, for `Network.emulateNetworkConditions`. */
export const SLOW_4G = {
  offline: false,
  latency: 562.5,
  downloadThroughput: 180_000,
  uploadThroughput: 84_375,
}

/** Marks the moment in which the first row of the list has a place. It runs in the window. */
export function markFirstRow(): void {
  const look = () => {
    const row = document.querySelector('tbody tr')
    if (row && row.getBoundingClientRect().height > 0) performance.mark('row')
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}
