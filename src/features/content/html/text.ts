import { ENTITIES } from '../../../model/html.ts'

/** Text with its white space collapsed, cut to so many characters; null when none is left. */
export function oneLine(text: string, maxChars: number): string | null {
  return text.replace(/\s+/g, ' ').trim().slice(0, maxChars).toWellFormed() || null
}

/**
 * Text as the value of an attribute in either kind of quotes. It keeps line breaks and tabs, which
 * `entities` would leave to the parser to normalise.
 */
export function escapeAttribute(text: string): string {
  return text.replace(/[&<>"'`]|(?! )\s/g, (char) => ENTITIES[char] ?? `&#${char.charCodeAt(0)};`)
}
