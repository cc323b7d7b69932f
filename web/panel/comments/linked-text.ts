import { STRANGERS_LINK, splitAtLinks } from '../../links-in-text.ts'
import { h } from '../elements.ts'

/** Text in which addresses of the web are links. Everything else stays text. */
export function linkedText(text: string): (Node | string)[] {
  return splitAtLinks(text).map((piece) =>
    piece.isLink ? h('a', { href: piece.text, ...STRANGERS_LINK }, piece.text) : piece.text,
  )
}
