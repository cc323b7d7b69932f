import { type Html, html, rawHtml } from '../../../model/html.ts'

/** SVG paths on a square of 16 units, stroked in the colour of the text. */
const PATHS = {
  contents: '<path d="M2 4h1M2 8h1M2 12h1M6 4h8M6 8h8M6 12h5"/>',
  find: '<circle cx="7" cy="7" r="4.5"/><path d="m10.5 10.5 3.5 3.5"/>',
  print: '<path d="M4.5 6V2h7v4M4.5 11H2V6h12v5h-2.5"/><path d="M4.5 9.5h7V14h-7z"/>',
  download: '<path d="M8 2v8M4.5 7 8 10.5 11.5 7M2.5 13.5h11"/>',
  plus: '<path d="M8 3v10M3 8h10"/>',
  minus: '<path d="M3 8h10"/>',
  up: '<path d="m3.5 10 4.5-4.5 4.5 4.5"/>',
  down: '<path d="m3.5 6 4.5 4.5 4.5-4.5"/>',
  close: '<path d="m4 4 8 8M12 4l-8 8"/>',
} as const

export function icon(name: keyof typeof PATHS): Html {
  return html`<svg viewBox="0 0 16 16" aria-hidden="true">${rawHtml(PATHS[name])}</svg>`
}
