import type { ComponentProps, ComponentType, ReactNode } from 'preact/compat'
import {
  AUTHOR_MARKS,
  type CommentChange,
  type CommentData,
  type ThreadData,
  WHY_OUTDATED,
  wordsOf,
  writesLinks,
} from './model.ts'

const QUOTE_CHARS = 200
const OWNER = { kind: 'owner', name: null, email: null } as const

interface ThreadViewProps<Thread extends ThreadData> {
  thread: Thread
  /** The article of the comment and of each reply. */
  show(comment: Thread | Thread['replies'][number]): ReactNode
  /** Below the replies, such as one that is under way: items of the list. */
  moreReplies?: ReactNode[]
  children?: ReactNode
}

/** A comment with its replies, and below them what one can do. */
export function ThreadView<Thread extends ThreadData>(props: ThreadViewProps<Thread>) {
  const { thread, show, moreReplies = [], children } = props
  const { replies } = thread
  return (
    <div className="thread">
      {show(thread)}
      {replies.length + moreReplies.length > 0 && (
        <ol className="replies" aria-label="Replies">
          {replies.map((reply) => (
            <li key={reply.id}>{show(reply)}</li>
          ))}
          {moreReplies}
        </ol>
      )}
      {children}
    </div>
  )
}

interface CommentArticleProps {
  comment: CommentData
  /** When it was written. */
  time: ReactNode
  /** What it is about. */
  about?: ReactNode
  /** In the dashboard, its reader is the owner, who sees addresses. */
  isDashboard?: boolean
  /** Shows what was written; by default all of it. */
  Words?: ComponentType<WordsProps>
  /** Stands beside the author, such as a mark of what is new. */
  badge?: ReactNode
  children?: ReactNode
}

/** Who wrote what, and when. */
export function CommentArticle(props: CommentArticleProps) {
  const { comment, time, about, isDashboard = false, badge, children } = props
  const { Words = WholeWords } = props
  const { author, body, edited_at: editedAt, is_hidden: isHidden } = comment
  const { kind, name, email } = author ?? OWNER
  const { text: mark, title } = AUTHOR_MARKS[kind]
  const address = isDashboard && (kind === 'confirmed' || kind === 'imported') ? email : null
  const isYou = isDashboard && kind === 'owner'
  const anybody = isDashboard ? 'Somebody' : 'The owner'
  return (
    <article
      className={isHidden ? 'comment is-hidden' : 'comment'}
      // The panel has none: its fields are called `Comment`, and nothing else should be.
      aria-label={isDashboard ? `Comment by ${isYou ? 'you' : (name ?? 'somebody')}` : undefined}
    >
      <header>
        <b dir="auto">{isYou ? 'You' : (name ?? anybody)}</b>
        {!isYou && (address === null || kind === 'imported') && (
          <span className={`mark ${kind}`} title={title}>
            {mark}
          </span>
        )}
        {address && <span title={title}>{address}</span>}
        {time}
        {editedAt && <span>edited</span>}
        {badge}
      </header>
      {about}
      {isDashboard && body === '' ? (
        <p className="hint">Deleted by its author.</p>
      ) : (
        <Words text={body} isLinked={writesLinks(kind)} />
      )}
      {isHidden && (
        <p className="hint">{isDashboard ? 'Hidden from viewers' : 'Hidden: only you see this.'}</p>
      )}
      {children}
    </article>
  )
}

export interface WordsProps {
  text: string
  /** False for strangers, whose addresses are text. */
  isLinked?: boolean
}

function WholeWords(props: WordsProps) {
  return (
    <p dir="auto" className="words">
      <LinkedText {...props} />
    </p>
  )
}

/** Text in which addresses of the web are links. Everything else stays text. */
export function LinkedText({ text, isLinked = true }: WordsProps) {
  const pieces = isLinked ? splitAtLinks(text) : [{ text, isLink: false }]
  return pieces.map((piece, at) =>
    piece.isLink ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text
      <a key={at} href={piece.text} {...STRANGERS_LINK}>
        {piece.text}
      </a>
    ) : (
      piece.text
    ),
  )
}

interface PassageProps {
  comment: CommentData
  /** Why it has no place in the page; null where it may have one. */
  now: CommentData['anchor_now']
  /** The address of its file of a deck; null where that is the one shown, absent for no link. */
  href?: string | null
  /** Shows the place in the page. */
  onReveal?: (() => void) | null
  /** The version that it was written on, as a link for its owner; viewers cannot open it. */
  writtenOn?: ReactNode
}

/** What a comment is about: a file of a deck, and words of the page, an element or a spot. */
export function Passage({ comment, now, href, onReveal = null, writtenOn }: PassageProps) {
  const { path, anchor, version_no: version } = comment
  const isFileShown = path === '' || href === null
  if (isFileShown && anchor === null) return null
  const words = anchor === null ? '' : wordsOf(anchor)
  const quote = words.length > QUOTE_CHARS ? `${words.slice(0, QUOTE_CHARS)}…` : words
  const isTold = now !== null && now.quote !== null
  return (
    <div className="about">
      {!isFileShown && (href ? <a href={href}>in {path}</a> : <p className="hint">in {path}</p>)}
      {now !== null && <p className="hint">{WHY_OUTDATED[now.reason]}</p>}
      {isTold && <span className="hint">Then</span>}
      {anchor !== null && (
        <blockquote dir="auto">
          {onReveal === null ? (
            quote
          ) : (
            <button type="button" onClick={onReveal}>
              {quote}
            </button>
          )}
        </blockquote>
      )}
      {isTold && <span className="hint">Now</span>}
      {isTold && (
        <blockquote dir="auto" className="now">
          {now.quote || 'Nothing stands here.'}
        </blockquote>
      )}
      {now !== null && <p className="hint">Written on {writtenOn || `version ${version}`}</p>}
    </div>
  )
}

/** A quiet button in a row of them. */
export function Tool({ className = '', ...rest }: ComponentProps<'button'>) {
  return <button type="button" className={`tool ${className}`} {...rest} />
}

interface CommentToolsProps {
  comment: CommentData
  isThread: boolean
  /** Null where it is not to be done. */
  onReply?: (() => void) | null
  onEdit?: (() => void) | null
  onChange?: ((change: CommentChange) => void) | null
  /** Whether its list gives the keys `e` and `r`. */
  hasKeys?: boolean
  /** What else can be done, such as deleting it. */
  children?: ReactNode
}

export function CommentTools(props: CommentToolsProps) {
  const { comment, isThread, onReply, onEdit, onChange, hasKeys = false, children } = props
  const isHidden = comment.is_hidden === true
  const isResolved = comment.state === 'resolved'
  const keys = (key: string) => (hasKeys ? { 'aria-keyshortcuts': key } : {})
  const { kind, name } = comment.author ?? OWNER
  const who = name ?? (kind === 'owner' ? 'the owner' : 'somebody')
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div className="tools" role="group" aria-label={`What ${who} wrote`}>
      {onReply && (
        <Tool onClick={onReply} {...keys('r')}>
          Reply
        </Tool>
      )}
      {onEdit && <Tool onClick={onEdit}>Edit</Tool>}
      {onChange && isThread && (
        <Tool onClick={() => onChange({ state: isResolved ? 'open' : 'resolved' })} {...keys('e')}>
          {isResolved ? 'Reopen' : 'Resolve'}
        </Tool>
      )}
      {onChange && (
        <Tool onClick={() => onChange({ is_hidden: !isHidden })}>
          {isHidden ? 'Restore' : 'Hide'}
        </Tool>
      )}
      {children}
    </div>
  )
}

/** A piece of a text: an address of the web, or what stands between addresses. */
interface TextPiece {
  text: string
  isLink: boolean
}

/** What a stranger's link has: its target learns nothing of our page, search engines ignore it. */
const STRANGERS_LINK = { rel: 'nofollow ugc noopener noreferrer', target: '_blank' }

/** An address of the web, without the punctuation that ends a sentence after it. */
const ADDRESS = /\bhttps?:\/\/[^\s<>"'`]{1,2000}/gi

export function splitAtLinks(text: string): TextPiece[] {
  const pieces: TextPiece[] = []
  let end = 0
  for (const match of text.matchAll(ADDRESS)) {
    const address = withoutEnding(match[0])
    if (!URL.canParse(address)) continue
    pieces.push({ text: text.slice(end, match.index), isLink: false })
    pieces.push({ text: address, isLink: true })
    end = match.index + address.length
  }
  pieces.push({ text: text.slice(end), isLink: false })
  return pieces.filter((piece) => piece.text !== '')
}

/** A bracket at the end belongs to the address only if it was opened in it. */
function withoutEnding(address: string): string {
  const bare = address.replace(/[.,;:!?…]+$/, '')
  const isUnopened = bare.endsWith(')') && !bare.includes('(')
  return isUnopened ? withoutEnding(bare.slice(0, -1)) : bare
}
