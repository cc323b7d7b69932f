import { useState } from 'preact/compat'
import { LinkedText, Tool, type WordsProps } from '../../threads/comment.tsx'

const LONG_CHARS = 700
const LONG_LINES = 10

/** Words that people wrote: text with links, in their direction, cut until one asks for all. */
export function Words({ className = '', ...words }: WordsProps & { className?: string }) {
  const { text } = words
  const [isWhole, setWhole] = useState(false)
  const isLong = text.length > LONG_CHARS || text.split('\n', LONG_LINES + 1).length > LONG_LINES
  return (
    <div className={className}>
      <p dir="auto" className={isLong && !isWhole ? 'words line-clamp-8 overflow-hidden' : 'words'}>
        <LinkedText {...words} />
      </p>
      {isLong && (
        <Tool aria-expanded={isWhole} className="-ml-2" onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show less' : 'Show more'}
        </Tool>
      )}
    </div>
  )
}

/** A sentence of the server: what stands between backticks in it is code. */
export function CodedText({ text }: { text: string }) {
  const parts = text.split('`')
  // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, which can be equal
  return parts.map((part, at) => (at % 2 === 0 ? part : <code key={at}>{part}</code>))
}

export function Notes({ notes, className }: { notes: readonly string[]; className: string }) {
  return (
    <ul className={`list-disc pl-5 ${className}`}>
      {notes.map((note) => (
        <li key={note}>
          <CodedText text={note} />
        </li>
      ))}
    </ul>
  )
}
