/** Markup that is safe to place in a document as it is. Only this file can make it. */
export interface Html {
  readonly [markup]: string
  toString(): string
}
const markup: unique symbol = Symbol('markup')

type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[]

/**
 * Every value is escaped for text and for double-quoted attributes alike, unless it is `Html`
 * itself. Lists are joined; null, undefined and false leave nothing. Not for use inside
 * `<script>` or `<style>`: there, `rawHtml` what is known to be ours.
 */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  let out = strings[0] ?? ''
  values.forEach((value, index) => {
    out += render(value) + (strings[index + 1] ?? '')
  })
  return rawHtml(out)
}

/** Our own markup, never text that came from outside. */
export function rawHtml(text: string): Html {
  return { [markup]: text, toString: () => text }
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"'`]/g, (character) => ENTITIES[character] ?? '')
}

export const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
}

function render(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return ''
  if (typeof value === 'string') return escapeHtml(value)
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return value.map(render).join('')
  return (value as Html)[markup]
}

/** What mail programs take for the dot of a domain, before a label that could be its last one. */
const DOTS = /(?<=[^\s.])[.\u3002\uff0e\uff61](?=\p{L}{2})/gu
const SCHEMES = /:(?=\/\/)|(?<=\b(?:mailto|tel|sms)):/gi

/**
 * Text in which no program finds an address to make a link of, though people still read it:
 * `https[:]//example[.]com`.
 */
export function unlinked(text: string): string {
  return text.replace(DOTS, '[.]').replace(SCHEMES, '[:]')
}
