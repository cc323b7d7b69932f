import { Eye, EyeOff, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { AUTHOR_MARKS, writesLinks } from '../../authors.ts'
import { IconButton } from '../ui/button.tsx'
import { NewMark } from '../ui/new-mark.tsx'
import { Time } from '../ui/time.tsx'
import { Words } from '../ui/words.tsx'
import { type Action, type Comment, isErased } from './model.ts'

/** Who wrote what, and when. */
export function CommentArticle({
  comment,
  tools,
  isNew = false,
}: {
  comment: Comment
  tools?: ReactNode
  isNew?: boolean
}) {
  const { body, is_hidden: isHidden } = comment
  return (
    <article aria-label={`Comment by ${nameOf(comment)}`}>
      <header className="flex min-h-7 items-center gap-x-2">
        <Author comment={comment} />
        {isNew && <NewMark />}
        {tools && <span className="ml-auto flex shrink-0 text-muted">{tools}</span>}
      </header>
      {isErased(comment) ? (
        <p className="text-muted">Deleted by its author.</p>
      ) : (
        <Words
          text={body}
          isLinked={writesLinks(comment.author.kind)}
          className={isHidden ? 'text-muted' : ''}
        />
      )}
    </article>
  )
}

function nameOf({ author: { kind, name } }: Comment): string {
  return kind === 'owner' ? 'you' : (name ?? 'somebody')
}

function Author({ comment }: { comment: Comment }) {
  const { author, created_at: at, edited_at: editedAt, is_hidden: isHidden } = comment
  const { kind, name, email } = author
  const { text: mark, title } = AUTHOR_MARKS[kind]
  return (
    <div className="flex min-w-0 flex-wrap items-baseline gap-x-2 text-13 text-muted">
      <span className="max-w-full truncate text-15 font-medium text-ink" dir="auto">
        {kind === 'owner' ? 'You' : (name ?? 'Somebody')}
      </span>
      {kind !== 'owner' && (
        <span className="max-w-full truncate" title={title}>
          {kind === 'confirmed' && email !== null ? email : mark}
        </span>
      )}
      {kind === 'imported' && email !== null && (
        <span className="max-w-full truncate">{email}</span>
      )}
      <Time at={at} />
      {editedAt && <span>edited</span>}
      {isHidden && (
        <span className="inline-flex items-center gap-1 text-danger">
          <EyeOff size={14} aria-hidden /> Hidden from viewers
        </span>
      )}
    </div>
  )
}

interface CommentToolsProps {
  comment: Comment
  act(action: Action): void
  onDelete(commentId: string): void
}

/** Hides a comment from viewers, or deletes it. */
export function CommentTools({ comment, act, onDelete }: CommentToolsProps) {
  const { id, is_hidden: isHidden } = comment
  return (
    <>
      <IconButton
        label={isHidden ? 'Restore' : 'Hide'}
        onClick={() => act({ kind: 'change', commentId: id, change: { is_hidden: !isHidden } })}
      >
        {isHidden ? <Eye size={16} /> : <EyeOff size={16} />}
      </IconButton>
      <IconButton label="Delete comment" onClick={() => onDelete(id)}>
        <Trash2 size={16} />
      </IconButton>
    </>
  )
}
