import { type Comment, passageOf } from './model.ts'

/** What a comment is about: words of the page, a spot, or a file of a deck. */
export function Passage({ comment }: { comment: Comment }) {
  const passage = passageOf(comment)
  if (passage === null) return null
  const { quote, notes, isGone } = passage
  return (
    <div className="border-l-2 border-accent pl-3 text-13">
      {quote !== '' && (
        <blockquote
          dir="auto"
          className={`line-clamp-3 overflow-hidden font-serif text-15 break-words ${isGone ? 'text-muted line-through' : ''}`}
        >
          {quote}
        </blockquote>
      )}
      {notes.length > 0 && <p className="break-words text-muted">{notes.join(' · ')}</p>}
    </div>
  )
}
