import { condense, type Place, UNSEEN_ELEMENTS } from '../../../../src/model/passage.ts'

export type TextIndex = ReturnType<typeof readTextIndex>

/**
 * The condensed text of a document, and where it stands in its text nodes: the same text as the
 * server reads, in `src/features/content/html/page-text.ts`.
 */
export function readTextIndex(root: Node) {
  const nodes: Text[] = []
  const starts: number[] = []
  const parts: string[] = []
  let length = 0
  const walker = document.createTreeWalker(
    root,
    NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT,
    (node) => {
      if (node.nodeType === Node.TEXT_NODE) return NodeFilter.FILTER_ACCEPT
      const isSkipped = UNSEEN_ELEMENTS.has(node.nodeName.toLowerCase())
      return isSkipped ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_SKIP
    },
  )
  while (walker.nextNode()) {
    const node = walker.currentNode as Text
    const part = condense(node.data)
    if (part === '') continue
    nodes.push(node)
    starts.push(length)
    parts.push(part)
    length += part.length
  }

  /** The node and the offset in its data of the character at this index. */
  function locate(index: number): { node: Text; offset: number } {
    const at = lastAtMost(starts, index)
    const node = nodes[at]!
    return { node, offset: writtenOffset(node.data, index - starts[at]!) }
  }
  function rangeOf({ start, end }: Place): Range {
    const range = document.createRange()
    const [first, last] = [locate(start), locate(end - 1)]
    range.setStart(first.node, first.offset)
    range.setEnd(last.node, last.offset + 1)
    return range
  }

  return {
    text: parts.join(''),
    rangeOf,
    /** @returns null where the range has no text that counts */
    placeOf(range: Range): Place | null {
      const place = { start: -1, end: -1 }
      for (const [at, node] of nodes.entries()) {
        if (!range.intersectsNode(node)) {
          if (place.start >= 0) break
          continue
        }
        const from = node === range.startContainer ? range.startOffset : 0
        const to = node === range.endContainer ? range.endOffset : node.data.length
        const start = starts[at]! + condense(node.data.slice(0, from)).length
        const end = start + condense(node.data.slice(from, to)).length
        if (end === start) continue
        if (place.start < 0) place.start = start
        place.end = end
      }
      return place.start < 0 ? null : place
    },
    /** The text as written in this part, for people to read. */
    written({ start, end }: Place): string {
      if (end <= start) return ''
      const last = lastAtMost(starts, end - 1)
      const words: string[] = []
      for (let at = lastAtMost(starts, start); at <= last; at++) {
        const { data } = nodes[at]!
        const from = writtenOffset(data, Math.max(0, start - starts[at]!))
        const isWhole = at < last
        const to = isWhole ? data.length : writtenOffset(data, end - 1 - starts[at]!) + 1
        const isApart = words.length > 0 && blockOf(nodes[at - 1]!) !== blockOf(nodes[at]!)
        words.push(isApart ? ' ' : '', data.slice(from, to))
      }
      // A part may begin or end within a character of two code units.
      return words
        .join('')
        .replace(/[\s\p{Cs}]+/gu, ' ')
        .trim()
    },
  }
}

/** The element whose lines the text is part of. Texts of different ones are separate words. */
function blockOf(node: Text): Element | null {
  let element = node.parentElement
  while (element !== null && /^(?:inline$|contents$)/.test(getComputedStyle(element).display)) {
    element = element.parentElement
  }
  return element
}

/** The offset in the written text of its `count`th character that is not ignored. */
function writtenOffset(written: string, count: number): number {
  let left = count
  for (let offset = 0; offset < written.length; offset++) {
    if (condense(written[offset]!) === '') continue
    if (left === 0) return offset
    left -= 1
  }
  return written.length
}

/** @returns the index of the last of these ascending values that is at most `value` */
function lastAtMost(values: readonly number[], value: number): number {
  let [low, high] = [0, values.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (values[middle]! <= value) low = middle
    else high = middle - 1
  }
  return low
}
