import { isUtf8 } from 'node:buffer'
import { refuse } from '../../../model/errors.ts'

/**
 * Decodes standard base64. Padding may be missing and white space may break lines.
 * @param param the parameter with the text, for the message
 * @throws Refusal `invalid_base64`
 */
export function decodeBase64(text: string, param: string): Uint8Array {
  try {
    return Uint8Array.fromBase64(text)
  } catch {
    throw refuse.invalid('invalid_base64', `${param} ${whyNotBase64(text)}.`, { param })
  }
}

function whyNotBase64(text: string): string {
  const packed = text.replace(/[ \t\r\n]+/g, '')
  if (/^data:/i.test(packed)) return 'is a data: URI: send only what follows its comma'
  if (/^[A-Za-z0-9+/]*={0,2}$/.test(packed)) {
    return 'is not complete: base64 comes in groups of four characters'
  }
  return /^[\w+/=-]*$/.test(packed)
    ? 'is not standard base64: that has + and /, not - and _, and = only at its end'
    : 'is not base64'
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
