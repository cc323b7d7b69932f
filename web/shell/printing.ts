/** A page is printed whole, from the shell's menu as well: its frame is as high as it is. */
export function keepPrinting() {
  return {
    told(height: number): void {
      const pixels = Math.min(Math.max(Math.ceil(height), 0), 200_000)
      document.documentElement.style.setProperty('--page-height', `${pixels}px`)
    },
  }
}
