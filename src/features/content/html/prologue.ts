import type { Tag } from './tags.ts'

/**
 * Finds where a tag of ours may stand as the first thing in the head: after `<head>`, else after
 * what may come before it without starting the head or the body (byte order mark, doctype,
 * comments, white space, `<html>`). The doctype stays first, or the page falls into quirks mode.
 */
export function createPrologue(buffer: Buffer) {
  let offset = buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf ? 3 : 0
  let over = false
  return {
    offset: () => offset,
    startTag(tag: Tag) {
      if (over) return
      if (tag.name === 'html' || tag.name === 'head') offset = tag.end
      over = tag.name !== 'html'
    },
    endTag() {
      over = true
    },
    text(start: number, end: number) {
      for (let at = Math.max(start, offset); at < end && !over; at++) over = buffer[at]! > 32
    },
    comment(end: number, closed: boolean) {
      if (!over && closed) offset = end
      over ||= !closed
    },
    doctype(end: number) {
      if (!over) offset = end
    },
  }
}
