/** Line ends stay as they are: in a file with mixed ones, `\r` is a character like others. */
export function lineEndOf(text: string): '\n' | '\r\n' {
  return text.includes('\r\n') && !/(^|[^\r])\n/.test(text) ? '\r\n' : '\n'
}
