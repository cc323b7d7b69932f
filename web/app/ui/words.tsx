import { useState } from 'react'
import { STRANGERS_LINK, splitAtLinks } from '../../links-in-text.ts'

const LONG_CHARS = 700
const LONG_LINES = 10

interface WordsProps {
  text: string
  className?: string
  /** False for strangers, whose addresses are text. */
  isLinked?: boolean
}

/** Words that people wrote: text with links, in their direction, cut until one asks for all. */
export function Words({ text, className = '', isLinked = true }: WordsProps) {
  const [isWhole, setWhole] = useState(false)
  const isLong = text.length > LONG_CHARS || text.split('\n', LONG_LINES + 1).length > LONG_LINES
  return (
    <div className={className}>
      <p
        dir="auto"
        className={`overflow-hidden break-words whitespace-pre-wrap ${isLong && !isWhole ? 'line-clamp-8' : ''}`}
      >
        {(isLinked ? splitAtLinks(text) : [{ text, isLink: false }]).map((piece, at) =>
          piece.isLink ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text
            <a key={at} href={piece.text} {...STRANGERS_LINK} className="link break-all">
              {piece.text}
            </a>
          ) : (
            piece.text
          ),
        )}
      </p>
      {isLong && (
        <button
          type="button"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
          className="link mt-1 text-13"
        >
          {isWhole ? 'Show less' : 'Show more'}
        </button>
      )}
    </div>
  )
}
