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
