import { isUtf8 } from 'node:buffer'
import { refuse } from '../../../model/errors.ts'

/**
 * Decodes standard base64. Padding may be missing and white space may break lines.
 * @param param the parameter with the text, for the message
 * @throws Refusal `invalid_base64`
 */
export function decodeBase64(text: string, param: string): Uint8Array {
  const packed = /\s/.test(text) ? text.replace(/[ \t\r\n]+/g, '') : text
  const why = whyNotBase64(packed)
  if (why !== null) throw refuse.invalid('invalid_base64', `${param} ${why}.`, { param })
  return Buffer.from(packed, 'base64')
}

function whyNotBase64(text: string): string | null {
  if (/^data:/i.test(text)) return 'is a data: URI: send only what follows its comma'
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const size = text.length - padding
  if (!/^[A-Za-z0-9+/]*$/.test(padding > 0 ? text.slice(0, size) : text)) {
    if (/^[\w+/=-]*$/.test(text)) {
      return 'is not standard base64: that has + and /, not - and _, and = only at its end'
    }
    return 'is not base64'
  }
  const isWhole = padding > 0 ? text.length % 4 === 0 : size % 4 !== 1
  return isWhole ? null : 'is not complete: base64 comes in groups of four characters'
}

/**
 * Decodes HTML that was sent as base64.
 * @throws Refusal `invalid_base64`, `invalid_html_base64`
 */
export function decodeHtmlBase64(text: string): Uint8Array {
  const param = 'html_base64'
  const bytes = decodeBase64(text, param)
  if (bytes.byteLength === 0) {
    throw refuse.invalid('invalid_html_base64', 'html_base64 is empty.', { param })
  }
  if (isUtf8(bytes)) return bytes
  throw refuse.invalid(
    'invalid_html_base64',
    'html_base64 has bytes that are not UTF-8: encode the HTML as UTF-8 and then as base64.',
    { param },
  )
}
