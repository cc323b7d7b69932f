const MAX_HEIGHT_PX = 200_000

/** For printing, the frame is as high as its content: the shell then prints the page whole. */
export function setPrintHeight(height: number): void {
  const pixels = Math.min(Math.max(Math.ceil(height), 0), MAX_HEIGHT_PX)
  document.documentElement.style.setProperty('--page-height', `${pixels}px`)
}
