import { isUtf8 } from 'node:buffer'
import { refuse } from '../../../model/errors.ts'
import { attributeText, readTokens } from '../html/tokens.ts'

// How far browsers search for `<meta charset>`.
const PRESCAN_BYTES = 1024

/**
 * Converts fetched or uploaded HTML to UTF-8. Bytes that are UTF-8 already stay the same, with a
 * byte order mark and whatever charset they name. Other bytes are decoded by their byte order mark,
 * Content-Type or `<meta charset>`, in that order.
 * @param contentType the header of the response; null without one
 * @throws Refusal `invalid_html`
 */
export function htmlFromBytes(bytes: Uint8Array, contentType: string | null): Uint8Array {
  if (bytes.byteLength === 0) throw refuse.invalid('invalid_html', 'The HTML is empty.')
  // UTF-16 and ISO-2022-JP can look like UTF-8, but not without one of these two bytes.
  const mayBeOther = bytes.includes(0) || bytes.includes(0x1b)
  if (!mayBeOther && isUtf8(bytes)) return bytes
  const label = byteOrderMark(bytes) ?? charsetParameter(contentType) ?? metaCharset(bytes)
  if (!/^(?:utf-?16|(?:cs)?iso-?2022-?jp)/.test(label ?? '') && isUtf8(bytes)) return bytes
  if (label === null) {
    throw refuse.invalid(
      'invalid_html',
      'The HTML is not UTF-8 and does not say what it is: save it as UTF-8, or name its charset.',
    )
  }
  try {
    return Buffer.from(new TextDecoder(label, { fatal: true }).decode(bytes))
  } catch {
    const name = JSON.stringify(label.slice(0, 40))
    throw refuse.invalid(
      'invalid_html',
      `The HTML says its charset is ${name}, but it cannot be read as that: save it as UTF-8.`,
    )
  }
}

function byteOrderMark([a, b, c]: Uint8Array): string | null {
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  return a === 0xff && b === 0xfe ? 'utf-16le' : null
}

function charsetParameter(contentType: string | null): string | null {
  const found = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;"]+))/i.exec(contentType ?? '')
  return (found?.[1] ?? found?.[2] ?? '').trim().toLowerCase() || null
}

function metaCharset(bytes: Uint8Array): string | null {
  const buffer = Buffer.from(bytes.subarray(0, PRESCAN_BYTES))
  let label: string | null = null
  readTokens(buffer, {
    startTag(tag) {
      if (tag.name !== 'meta' || label !== null) return
      const refers = attributeText(buffer, tag, 'http-equiv')?.trim().toLowerCase()
      const content = attributeText(buffer, tag, 'content')
      label =
        attributeText(buffer, tag, 'charset')?.trim().toLowerCase() ||
        (refers === 'content-type' ? charsetParameter(content) : null)
    },
  })
  // As in browsers: a `<meta>` that can be read as ASCII proves that the page is not UTF-16.
  return label !== null && /^utf-?16/.test(label) ? 'utf-8' : label
}
