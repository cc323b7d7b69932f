import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { deletion } from '../../../src/model/deletion.ts'
import { count } from '../../../src/model/numbers.ts'
import { CommentArticle, CommentTools, Passage, ThreadView, Tool } from '../../threads/comment.tsx'
import { type CommentChange, comparisonOf } from '../../threads/model.ts'
import { Alert, QuietButton, Time, useCall } from '../components.tsx'
import type { TabContext } from '../tab.ts'
import { type AboutRequest, Composer, EditForm } from './composer.tsx'
import type { Drafts } from './drafts.ts'
import type { Places } from './pins.tsx'
import type { Comment, Thread, ThreadState } from './state.ts'

/** How many threads are built before the browser paints: more than a screen can show. */
const FIRST_THREADS = 24
const SUMMARY_CHARS = 60
/** How far from the end one counts as reading the newest. */
const END_PX = 48

/** A thread to scroll to. */
export interface ScrollRequest {
  threadId: string
  isDone: boolean
}

interface PageProps {
  context: TabContext
  drafts: Drafts
  state: ThreadState
  places: Places
  about: AboutRequest | null
  target: ScrollRequest | null
  /** Something was written: what changed is read now. */
  onWrite(): void
  readEarlier(): Promise<void>
}

/** The content of the tab: the threads, newest last, and the form below them. */
export function CommentsPage(props: PageProps) {
  const { context, drafts, state, places, about, target, onWrite } = props
  // What is being written stays on the screen: posting it says that they are off.
  const isOff = state.isOff && drafts.get('').text === '' && drafts.replied().length === 0
  const form = { context, drafts, requiresEmail: state.requiresEmail }
  const [earlierProblem, setEarlierProblem] = useState('')
  const [reply, setReply] = useState<Reply | null>(() => restoredReply(drafts))
  /** Another form than the one that posted: it begins anew. */
  const [forms, setForms] = useState(0)
  const letters = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  const all = state.all()
  const unbuilt = useUnbuilt(all.length, target)
  const isReplyLost =
    state.revision !== null && reply !== null && !all.some(({ id }) => id === reply.to)

  useLayoutEffect(() => {
    if (about && !about.isDone) setReply(null)
  }, [about])
  useLayoutEffect(() => {
    if (isAtEnd.current && reply === null && letters.current)
      letters.current.scrollTop = letters.current.scrollHeight
  })
  useScrolling(target, letters)

  async function showEarlier(): Promise<void> {
    const { scrollHeight, scrollTop } = letters.current!
    await props.readEarlier().catch((err: Error) => setEarlierProblem(err.message))
    letters.current!.scrollTop = letters.current!.scrollHeight - (scrollHeight - scrollTop)
  }

  function close(id: string): void {
    setReply(null)
    // Once it is rendered.
    setTimeout(() => itemOf(letters.current, id)?.querySelector<HTMLElement>('.tool')?.focus())
  }

  const replyForm = reply && (
    <Composer
      key={reply.to}
      {...form}
      place={reply.to}
      isLost={isReplyLost}
      focus={reply.takesFocus ? reply : null}
      onPosted={() => [close(reply.to), onWrite()]}
      onCancel={() => close(reply.to)}
    />
  )
  const nothing = state.revision === null ? '' : 'No comments yet. Write the first one.'
  return (
    <div className="comments">
      <div
        className="letters"
        ref={letters}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
          isAtEnd.current = scrollHeight - scrollTop - clientHeight < END_PX
        }}
      >
        {state.earlier !== null && !isOff && (
          <QuietButton onClick={showEarlier}>Show earlier comments</QuietButton>
        )}
        {(all.length === 0 || earlierProblem !== '') && (
          <p className="hint empty">
            {isOff ? 'Comments are switched off.' : earlierProblem || nothing}
          </p>
        )}
        <ol className="threads" aria-label="Threads" hidden={isOff}>
          {all.slice(unbuilt).map((thread) => (
            <ThreadItem
              key={thread.id}
              {...{ thread, context, drafts, places, onWrite, onReply: setReply }}
              {...rightsOf(thread, props)}
            >
              {reply?.to === thread.id && replyForm}
            </ThreadItem>
          ))}
        </ol>
      </div>
      {/* One form is open at a time: what was typed elsewhere is kept. */}
      <div className="write" hidden={isOff || (reply !== null && !isReplyLost)}>
        {!isOff && isReplyLost && replyForm}
        {!isOff && reply === null && (
          <Composer
            key={forms}
            {...form}
            place=""
            about={about}
            pick={places.pick}
            onPosted={(isShown) => {
              if (!isShown) setForms(forms + 1)
              isAtEnd.current = true
              onWrite()
            }}
          />
        )}
      </div>
    </div>
  )
}

interface Reply {
  to: string
  takesFocus: boolean
}

/** The reply that was being written before a reload. */
function restoredReply(drafts: Drafts): Reply | null {
  const to = drafts.replied().at(-1)
  return to === undefined ? null : { to, takesFocus: false }
}

/** How many of the oldest threads are not built yet: the newest are at once, others bit by bit. */
function useUnbuilt(total: number, target: ScrollRequest | null): number {
  /** It only falls: what is built stays, also where newer threads arrive. */
  const [most, setMost] = useState(Infinity)
  const unbuilt = Math.max(0, Math.min(most, total - FIRST_THREADS))
  useEffect(() => {
    if (most <= 0 || total === 0) return
    // The newest are painted first.
    const timer = setTimeout(() => {
      setMost((last) => Math.min(last, unbuilt - FIRST_THREADS))
    })
    return () => clearTimeout(timer)
  }, [most, total, unbuilt])
  useLayoutEffect(() => {
    if (target && !target.isDone) setMost(0)
  }, [target])
  return unbuilt
}

function itemOf(letters: HTMLElement | null, threadId: string): HTMLElement | null {
  return letters?.querySelector(`[data-thread="${CSS.escape(threadId)}"]`) ?? null
}

/** Scrolls to a thread and opens it, once it is read and built. */
function useScrolling(target: ScrollRequest | null, list: { current: HTMLElement | null }): void {
  useLayoutEffect(() => {
    if (target === null || target.isDone) return
    const item = itemOf(list.current, target.threadId)
    if (item === null) return
    target.isDone = true
    const details = item.querySelector('details')
    if (details !== null) details.open = true
    item.scrollIntoView({ block: 'nearest' })
    item.tabIndex = -1
    item.focus({ preventScroll: true })
  })
}

interface Rights {
  isOwner: boolean
  /** The ids of what the viewer may still change, as one text: comments are compared by it. */
  editable: string
  /** Whether the page marks the thread's place. */
  isMarked: boolean
  /** The address of its file of a deck; null where that is the one shown. */
  href: string | null
}

function rightsOf(thread: Thread, { context, state, places }: PageProps): Rights {
  const { id, path, replies } = thread
  const own = [thread, ...replies].filter((each) => state.isEditable(each.id))
  const isHere = path === '' || path === context.frame.path()
  const file = path.split('/').map(encodeURIComponent).join('/')
  return {
    isOwner: context.viewer.current.kind === 'owner',
    editable: own.map((each) => each.id).join(' '),
    isMarked: places.isMarked(id),
    href: isHere ? null : `${context.pagePath}/${file}`,
  }
}

interface ThreadItemProps extends Rights {
  thread: Thread
  context: TabContext
  drafts: Drafts
  places: Places
  onWrite(): void
  onReply(reply: Reply): void
  /** The form of a reply. */
  children: ComponentChildren
}

/** It is shown again only where something in it has changed. */
function ThreadItem(props: ThreadItemProps) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: all of its properties
  return useMemo(() => <Item {...props} />, Object.values(props))
}

function Item(props: ThreadItemProps) {
  const { thread, children } = props
  const view = (
    <ThreadView
      thread={thread}
      show={(comment) => <PanelComment {...props} comment={comment as Comment} />}
    >
      {children}
    </ThreadView>
  )
  return (
    <li data-thread={thread.id}>
      {thread.state === 'resolved' ? (
        <details>
          <summary>
            <span className="hint">Resolved: </span>
            <bdi>{firstWordsOf(thread)}</bdi>
            {thread.replies.length > 0 && `, ${count(thread.replies.length, 'reply', 'replies')}`}
          </summary>
          {view}
        </details>
      ) : (
        view
      )}
    </li>
  )
}

function firstWordsOf({ body }: Thread): string {
  const words = body.replace(/\s+/g, ' ')
  return words.length > SUMMARY_CHARS ? `${words.slice(0, SUMMARY_CHARS)}…` : words || 'a comment'
}

/** A comment with what the viewer may do with it, and the form that changes it. */
function PanelComment(props: ThreadItemProps & { comment: Comment }) {
  const { thread, comment, context, drafts, places, isOwner, isMarked, href, onWrite, onReply } =
    props
  const [isEditing, setEditing] = useState(false)
  const { problem, run } = useCall()
  const { id, placeholder, author, state, addressed_in: version } = comment
  const isThread = comment === thread
  const isOwn = props.editable.split(' ').includes(id)
  if (placeholder !== null) {
    const what = placeholder === 'deleted' ? 'deleted by its author' : 'hidden'
    return (
      <article className="comment">
        <p className="hint">A comment that was {what}.</p>
      </article>
    )
  }

  async function save(body: string): Promise<void> {
    if (isOwner) await context.ownerCall('PATCH', `/comments/${id}`, { body })
    else await context.call('/~/comments/edit', { comment_id: id, body })
    onWrite()
  }
  const change = (to: CommentChange) =>
    run(() => context.ownerCall('PATCH', `/comments/${id}`, to).then(onWrite))
  const remove = () =>
    run(async () => {
      if (isOwner) await context.ownerCall('DELETE', `/comments/${id}`)
      else await context.call('/~/comments/delete', { comment_id: id })
      context.announce('The comment is deleted')
      onWrite()
    })
  function onLost(text: string): void {
    const to = `edit-${id}`
    drafts.set(to, { ...drafts.get(to), text })
    onReply({ to, takesFocus: true })
  }
  if (isEditing) {
    const onClose = () => setEditing(false)
    return <EditForm body={comment.body} {...{ save, onClose, onLost }} />
  }
  const comparison = `/app${comparisonOf(context.pageId ?? '', comment.version_no)}`
  const canReply = isThread && comment.is_hidden !== true
  const canEdit = isOwn || (isOwner && author?.kind === 'owner')
  return (
    <CommentArticle
      comment={comment}
      time={<Time at={comment.created_at} />}
      about={
        isThread && (
          <Passage
            comment={comment}
            now={isMarked ? null : comment.anchor_now}
            href={href}
            onReveal={isMarked ? () => places.reveal(id) : null}
            writtenOn={isOwner && <a href={comparison}>version {comment.version_no}</a>}
          />
        )
      }
    >
      {isThread && state === 'resolved' && version !== null && (
        <p className="hint">Changed in version {version}.</p>
      )}
      <CommentTools
        comment={comment}
        isThread={isThread}
        onReply={canReply ? () => onReply({ to: id, takesFocus: true }) : null}
        onEdit={canEdit ? () => setEditing(true) : null}
        onChange={isOwner ? change : null}
      >
        {(isOwn || isOwner) && (
          <DeleteTool replies={isThread ? thread.replies.length : 0} onDelete={remove} />
        )}
      </CommentTools>
      <Alert>{problem}</Alert>
    </CommentArticle>
  )
}

/** Asks for a second press, and names what is deleted. */
function DeleteTool({ replies, onDelete }: { replies: number; onDelete(): void }) {
  const [isArmed, setArmed] = useState(false)
  return (
    <Tool
      className={isArmed ? 'is-danger' : ''}
      onClick={() => (isArmed ? onDelete() : setArmed(true))}
      onBlur={() => setArmed(false)}
    >
      {isArmed ? `${deletion('this comment', { replies }).action} for good` : 'Delete comment'}
    </Tool>
  )
}
