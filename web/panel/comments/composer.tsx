import type { RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Anchor } from '../../../src/model/anchor.ts'
import { newId } from '../../elements.ts'
import { Tool } from '../../threads/comment.tsx'
import { wordsOf } from '../../threads/model.ts'
import { Alert } from '../components.tsx'
import { PanelError, type TabContext } from '../tab.ts'
import type { Draft, Drafts } from './drafts.ts'
import type { Places } from './pins.ts'

const UNSENT = 'This is not sent yet.'
const MAX_NAME = 80

/** Makes the comment one about this passage or spot, and goes to the text. */
export interface AboutRequest {
  anchor: Anchor
  isDone: boolean
}

interface ComposerProps {
  context: TabContext
  drafts: Drafts
  /** The comment that is replied to; '' for a new one. */
  place: string
  requiresEmail: boolean
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

interface Posted {
  comment: { id: string; body: string }
}

/** The form of a new comment or reply. It keeps its text until the server has stored it. */
export function Composer(props: ComposerProps) {
  const { context, drafts, place, requiresEmail, about, focus, onCancel, pick } = props
  const isReply = place !== ''
  const text = useRef<HTMLTextAreaElement>(null)
  const trap = useRef<HTMLInputElement>(null)
  const name = useRef<HTMLInputElement>(null)
  /** The name is asked for once, and then stands there to be changed. */
  const [isNamed, setNamed] = useState(drafts.name() !== '')
  const confirmation = useRef<HTMLDivElement>(null)
  const [kept] = useState(() => drafts.get(place))
  const [anchor, showAnchor] = useState(kept.anchor?.at ?? null)
  const [problem, setProblem] = useState(kept.id === null ? '' : `${UNSENT} Post it again.`)
  const [isBusy, setBusy] = useState(false)
  const { kind } = context.viewer.current

  useLayoutEffect(() => {
    if (focus) text.current?.focus()
  }, [focus])
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each request
  useLayoutEffect(() => {
    if (!about || about.isDone) return
    about.isDone = true
    setAnchor(about.anchor)
    text.current?.focus()
  }, [about])

  function setAnchor(next: Anchor | null): void {
    const passage = next && { stamp: context.frame.sourceToken(), at: next }
    // Another comment: what was sent before was about something else.
    const body = text.current?.value ?? ''
    drafts.set(place, { text: body, id: null, sentText: null, anchor: passage })
    showAnchor(next)
  }

  async function post(): Promise<void> {
    const field = text.current
    if (field === null || isBusy) return
    if (field.value.trim() === '') return field.focus()
    drafts.storeName()
    if (requiresEmail && kind === 'anonymous') {
      setProblem(`${UNSENT} Confirm your email address first.`)
      await context.confirmEmail(confirmation.current!, 'comment')
    }
    setBusy(true)
    try {
      const more = trap.current?.value ? { trap: trap.current.value } : {}
      await deliver({ context, drafts, place, body: field.value, more })
      drafts.remove(place)
      field.value = ''
      fit(field)
      setNamed(drafts.name() !== '')
      showAnchor(null)
      setProblem('')
      context.announce(isReply ? 'Your reply is posted' : 'Your comment is posted')
      props.onPosted(field.isConnected)
    } catch (err) {
      if (!(err instanceof PanelError)) throw err
      setProblem(`${UNSENT} ${err.message}`)
    } finally {
      setBusy(false)
    }
  }

  function submit(event: Event): void {
    event.preventDefault()
    void post()
  }

  function press({ key, ctrlKey, metaKey }: KeyboardEvent): void {
    if (key === 'Enter' && (ctrlKey || metaKey)) void post()
  }

  return (
    <form
      className={isReply ? 'stack composer reply' : 'stack composer'}
      onSubmit={submit}
      onKeyDown={press}
    >
      {anchor !== null && (
        <div className="about">
          <blockquote dir="auto">{wordsOf(anchor)}</blockquote>
          <Tool
            onClick={() => {
              setAnchor(null)
              text.current?.focus()
            }}
          >
            Comment on the page instead
          </Tool>
        </div>
      )}
      <TextArea
        label="Comment"
        hint={isReply ? 'Write a reply' : 'Write a comment'}
        field={text}
        value={kept.text}
        isReadOnly={isBusy}
        onText={(value) => drafts.set(place, { ...drafts.get(place), text: value })}
      />
      <div className="trap" aria-hidden="true">
        <input ref={trap} name="website" tabIndex={-1} autoComplete="off" />
      </div>
      <div ref={confirmation} />
      <Alert>{problem}</Alert>
      <div className="row">
        {kind !== 'owner' && (
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
              defaultValue={drafts.name()}
              onInput={({ currentTarget: { value } }) => drafts.setName(value)}
            />
            {isNamed && <Tool onClick={() => name.current?.select()}>Change</Tool>}
          </div>
        )}
        <button type="submit" className="button" disabled={isBusy}>
          {isReply ? 'Reply' : 'Post comment'}
        </button>
        {pick && <Tool onClick={pick.start}>{pick.label()}</Tool>}
        {onCancel && <Tool onClick={onCancel}>Cancel</Tool>}
      </div>
    </form>
  )
}

interface TextAreaProps {
  label: string
  hint?: string
  field: RefObject<HTMLTextAreaElement | null>
  value: string
  isReadOnly?: boolean
  onText?: (text: string) => void
}

/** A field that is as high as its text. */
function TextArea({ label, hint, field, value, isReadOnly = false, onText }: TextAreaProps) {
  useLayoutEffect(() => fit(field.current!), [field])
  return (
    <textarea
      ref={field}
      aria-label={label}
      placeholder={hint}
      rows={1}
      dir="auto"
      defaultValue={value}
      readOnly={isReadOnly}
      onInput={({ currentTarget }) => {
        fit(currentTarget)
        onText?.(currentTarget.value)
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

interface Delivery extends Pick<ComposerProps, 'context' | 'drafts' | 'place'> {
  body: string
  more: object
}

/** Sends the text with the id of an earlier attempt, so that it is stored once. */
async function deliver({ context, drafts, place, body, more }: Delivery): Promise<void> {
  const draft = drafts.get(place)
  const id = draft.id ?? newId()
  drafts.set(place, { ...draft, text: body, id, sentText: draft.sentText ?? body })
  const { comment } = await context.call<Posted>('/~/comments/post', {
    id,
    body,
    name: drafts.name(),
    ...(place !== '' && { parent_id: place }),
    ...(draft.anchor !== null && anchorOf(draft.anchor)),
    ...more,
  })
  // The text was changed after an attempt that seemed to fail, but had arrived.
  if (draft.sentText !== null && draft.sentText !== body) {
    await context.call('/~/comments/edit', { comment_id: comment.id, body })
  }
}

function anchorOf({ stamp, at }: NonNullable<Draft['anchor']>): object {
  return { anchor: at, ...(stamp !== undefined && { stamp }) }
}

interface EditFormProps {
  body: string
  /** @throws PanelError */
  save(body: string): Promise<void>
  onClose(): void
}

/** The form that changes a comment. */
export function EditForm({ body, save, onClose }: EditFormProps) {
  const text = useRef<HTMLTextAreaElement>(null)
  const [problem, setProblem] = useState('')
  useLayoutEffect(() => text.current?.focus(), [])

  async function submit(event: Event): Promise<void> {
    event.preventDefault()
    setProblem('')
    try {
      await save(text.current?.value ?? '')
    } catch (err) {
      return setProblem(`This is not saved yet. ${(err as Error).message}`)
    }
    onClose()
  }

  return (
    <form className="stack composer" onSubmit={submit}>
      <TextArea label="Your comment" field={text} value={body} />
      <Alert>{problem}</Alert>
      <div className="row">
        <button type="submit" className="button">
          Save
        </button>
        <Tool onClick={onClose}>Cancel</Tool>
      </div>
    </form>
  )
}
