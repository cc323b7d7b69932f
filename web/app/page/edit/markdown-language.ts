import { StreamLanguage, type StringStream } from '@codemirror/language'

/** The colours of Markdown: headings, marks at the start of a line, code, links and emphasis. */
export const markdownLanguage = StreamLanguage.define<{ fence: string | null }>({
  startState: () => ({ fence: null }),
  token(stream, state) {
    const fence = stream.sol() ? markOf(stream, /^[ \t>]*(```+|~~~+)/) : undefined
    if (fence !== undefined && (state.fence === null || fence.startsWith(state.fence))) {
      state.fence = state.fence === null ? fence : null
      stream.skipToEnd()
      return 'meta'
    }
    if (state.fence !== null) {
      stream.skipToEnd()
      return 'string'
    }
    if (stream.sol() && stream.match(/^ {0,3}#{1,6}[ \t].*/)) return 'keyword'
    if (stream.sol() && stream.match(/^[ \t]*(?:[-*+]|\d{1,9}[.)]|>)(?=[ \t])/)) return 'atom'
    if (stream.match(/^(`+)[^`]+\1/) || stream.match(/^\$[^$\s][^$]*\$/)) return 'string'
    if (stream.match(/^<!--.*?-->/)) return 'comment'
    if (stream.match(/^!?\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])/)) return 'propertyName'
    if (stream.match(/^(\*\*|__|~~)(?!\s)[^*_~]+\1/)) return 'className'
    if (stream.match(/^\w+/) === null) stream.next()
    return null
  },
})

function markOf(stream: StringStream, pattern: RegExp): string | undefined {
  const match = stream.match(pattern)
  return match === null || typeof match === 'boolean' ? undefined : match[1]
}
