/** The lines of a text in UTF-8. @throws RangeError for a longer one, TypeError for other bytes */
export async function* splitLines(chunks: AsyncIterable<Uint8Array>, maxChars = Infinity) {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true })
    // A long line comes in many chunks, and is searched once.
    if (text.includes('\n')) {
      const lines = (rest + text).split('\n')
      rest = lines.pop()!
      yield* lines
    } else rest += text
    if (rest.length > maxChars) throw new RangeError('A line is too long')
  }
  rest += decoder.decode()
  if (rest !== '') yield rest
}
