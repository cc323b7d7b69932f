import type { ComponentProps, RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { newKey } from '../../../src/client/idempotency-key.ts'
import type { Anchor } from '../../../src/model/anchor.ts'
import { Tool } from '../../threads/comment.tsx'
import { wordsOf } from '../../threads/model.ts'
import { Alert, SubmitButton, useCall } from '../components.tsx'
import type { TabContext } from '../tab.ts'
import type { Drafts } from './drafts.ts'
import type { Places } from './pins.tsx'

const MAX_NAME = 80

/** Makes the comment one about this passage or spot, and goes to the text. */
export interface AboutRequest {
  anchor: Anchor
  isDone: boolean
}

export interface ComposerProps {
  context: TabContext
  drafts: Drafts
  /** The comment that is replied to; '' for a new one. */
  place: string
  requiresEmail: boolean
  /** What is replied to, or was edited, is not on the screen: it becomes a comment. */
  isLost?: boolean
  about?: AboutRequest | null
  /** A new object brings the keyboard to the text. */
  focus?: object | null
  /** The comment is stored. @param isShown whether the form is still the one on the screen */
  onPosted(isShown: boolean): void
  /** For a reply: the visitor cancelled it. */
  onCancel?: () => void
  /** For a new comment: the visitor chooses what it is about. */
  pick?: Places['pick']
}

/** The form of a new comment or reply. It keeps its text until the server has stored it. */
export function Composer(props: ComposerProps) {
  const { context, drafts, place, requiresEmail, isLost, about, focus, onCancel, pick } = props
  const isReply = place !== '' && !isLost
  const text = useRef<HTMLTextAreaElement>(null)
  const trap = useRef<HTMLInputElement>(null)
  /** The name is asked for once, and then stands there to be changed. */
  const [isNamed, setNamed] = useState(drafts.name !== '')
  const confirmation = useRef<HTMLDivElement>(null)
  const [draft] = useState(() => drafts.get(place))
  const [anchor, showAnchor] = useState(draft.anchor?.at ?? null)
  const { isBusy, problem, setProblem, run } = useCall(draft.id === null ? '' : 'Post it again.')
  const { kind } = context.viewer.current

  useLayoutEffect(() => {
    if (!focus) return
    const field = text.current!
    field.setSelectionRange(field.value.length, field.value.length)
    field.focus()
  }, [focus])
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each request
  useLayoutEffect(() => {
    if (!about || about.isDone) return
    about.isDone = true
    setAnchor(about.anchor)
  }, [about])

  function setAnchor(next: Anchor | null): void {
    const passage = next && { stamp: context.frame.sourceToken(), at: next }
    const field = text.current!
    // Another comment: what was sent before was about something else.
    drafts.set(place, { text: field.value, id: null, sentText: null, anchor: passage })
    showAnchor(next)
    field.focus()
  }

  async function post(): Promise<void> {
    const field = text.current!
    if (isBusy) return
    if (field.value.trim() === '') return field.focus()
    if (requiresEmail && kind === 'anonymous') {
      setProblem('Confirm your email address first.')
      await context.confirmEmail(confirmation.current!, 'comment')
    }
    await run(async () => {
      await deliver(props, field.value, trap.current?.value ?? '')
      drafts.set(place)
      field.value = ''
      fit(field)
      setNamed(drafts.name !== '')
      showAnchor(null)
      context.announce(isReply ? 'Your reply is posted' : 'Your comment is posted')
      props.onPosted(field.isConnected)
    })
  }

  return (
    <form
      className={isReply ? 'stack composer reply' : 'stack composer'}
      onSubmit={(event) => {
        event.preventDefault()
        void post()
      }}
      onKeyDown={({ key, ctrlKey, metaKey }) => {
        if (key === 'Enter' && (ctrlKey || metaKey)) void post()
      }}
    >
      {anchor !== null && <About anchor={anchor} onRemove={() => setAnchor(null)} />}
      {isLost && (
        <p className="hint">
          This was for a comment that is deleted or not shown here: it becomes a new comment.
        </p>
      )}
      <TextArea
        aria-label="Comment"
        placeholder={isReply ? 'Write a reply' : 'Write a comment'}
        field={text}
        defaultValue={draft.text}
        readOnly={isBusy}
        onText={(value) => drafts.set(place, { ...drafts.get(place), text: value })}
      />
      {/* Only programs fill it in. */}
      <div className="visually-hidden" aria-hidden="true">
        <input ref={trap} name="website" tabIndex={-1} autoComplete="off" />
      </div>
      <div ref={confirmation} />
      <Alert>{problem && `This is not sent yet. ${problem}`}</Alert>
      <div className="row">
        {kind !== 'owner' && <NameField drafts={drafts} isNamed={isNamed} />}
        <SubmitButton aria-disabled={isBusy}>{isReply ? 'Reply' : 'Post comment'}</SubmitButton>
        {pick && <Tool onClick={pick.start}>{pick.label()}</Tool>}
        {onCancel && <Tool onClick={() => [drafts.set(place), onCancel()]}>Cancel</Tool>}
      </div>
    </form>
  )
}

function About({ anchor, onRemove }: { anchor: Anchor; onRemove(): void }) {
  return (
    <div className="about">
      <blockquote dir="auto">{wordsOf(anchor)}</blockquote>
      <Tool onClick={onRemove}>Comment on the page instead</Tool>
    </div>
  )
}

function NameField({ drafts, isNamed }: { drafts: Drafts; isNamed: boolean }) {
  const name = useRef<HTMLInputElement>(null)
  return (
    <div className={isNamed ? 'who is-known' : 'who'}>
      {isNamed && 'as '}
      <input
        ref={name}
        aria-label="Your name"
        name="name"
        autoComplete="name"
        maxLength={MAX_NAME}
        dir="auto"
        placeholder="Your name (optional)"
        defaultValue={drafts.name}
        onInput={({ currentTarget }) => drafts.setName(currentTarget)}
      />
      {isNamed && <Tool onClick={() => name.current?.select()}>Change</Tool>}
    </div>
  )
}

interface TextAreaProps extends ComponentProps<'textarea'> {
  field: RefObject<HTMLTextAreaElement | null>
  /** @returns whether this browser keeps it: the shell may load the window again then */
  onText?: (text: string) => boolean
}

/** A field that is as high as its text. */
function TextArea({ field, onText, ...rest }: TextAreaProps) {
  useLayoutEffect(() => fit(field.current!), [field])
  return (
    <textarea
      {...rest}
      ref={field}
      rows={1}
      dir="auto"
      onInput={({ currentTarget }) => {
        const { value } = currentTarget
        fit(currentTarget)
        if (onText?.(value)) currentTarget.defaultValue = value
      }}
    />
  )
}

/** For browsers whose fields do not do it by their style. */
function fit(field: HTMLTextAreaElement): void {
  if (CSS.supports('field-sizing', 'content')) return
  field.style.height = 'auto'
  field.style.height = `${field.scrollHeight + 2}px`
}

/** Sends the text with the id of an earlier attempt, so that it is stored once. */
async function deliver(props: ComposerProps, body: string, trap: string) {
  const { context, drafts, place, isLost } = props
  const draft = drafts.get(place)
  const { anchor } = draft
  const id = draft.id ?? newKey()
  drafts.set(place, { ...draft, text: body, id, sentText: draft.sentText ?? body })
  const { comment } = await context.call<{ comment: { id: string } }>('/~/comments/post', {
    id,
    body,
    name: drafts.name,
    ...(place !== '' && !isLost && { parent_id: place }),
    ...(anchor && { anchor: anchor.at, stamp: anchor.stamp ?? context.frame.sourceToken() }),
    ...(trap !== '' && { trap }),
  })
  // The text was changed after an attempt that seemed to fail, but had arrived.
  if (draft.sentText !== null && draft.sentText !== body) {
    await context.call('/~/comments/edit', { comment_id: comment.id, body })
  }
}

interface EditFormProps {
  body: string
  /** @throws PanelError */
  save(body: string): Promise<void>
  onClose(): void
  /** The comment is gone from the screen while it was edited. */
  onLost(text: string): void
}

export function EditForm({ body, save, onClose, onLost }: EditFormProps) {
  const text = useRef<HTMLTextAreaElement>(null)
  const { problem, run } = useCall()
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useLayoutEffect(() => {
    const field = text.current!
    field.focus()
    return () => ['', field.defaultValue].includes(field.value) || onLost(field.value)
  }, [])
  /** What is saved or given up is not lost. */
  function close(): void {
    text.current!.value = ''
    onClose()
  }
  function submit(event: Event): void {
    event.preventDefault()
    void run(() => save(text.current!.value).then(close))
  }
  return (
    <form className="stack composer" onSubmit={submit}>
      <TextArea aria-label="Your comment" field={text} defaultValue={body} />
      <Alert>{problem && `This is not saved yet. ${problem}`}</Alert>
      <div className="row">
        <SubmitButton>Save</SubmitButton>
        <Tool onClick={close}>Cancel</Tool>
      </div>
    </form>
  )
}
