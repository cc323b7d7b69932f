import { useSyncExternalStore } from 'preact/compat'
import { newKey } from '../../../src/client/index.ts'
import { stored } from '../../stored.ts'
import { createStore } from '../store.ts'
import type { Thread } from './model.ts'

/** A reply that the server does not have yet. */
export interface ReplyDraft {
  text: string
  /** The idempotency key of this text: two tabs that send it post one reply. */
  key: string
  /** Why it was not sent; null if it was not tried, or its answer is awaited. */
  problem: string | null
  /** When the thread’s newest reply was written as this one was sent; null if it was not yet. */
  sentAfter: string | null
}

const PREFIX = 'handbill:reply:'
const MAX_CHARS = 20_000

/** By thread, those that were read or written here. */
const drafts = createStore(new Map<string, ReplyDraft | null>())

/** Keeps what is typed in this browser until the server has it. */
export function writeReplyDraft(threadId: string, draft: ReplyDraft | null): void {
  const next = draft?.text.trim() ? draft : null
  const isStorable = next === null || next.text.length <= MAX_CHARS
  if (isStorable) stored('localStorage', PREFIX + threadId).write(next && JSON.stringify(next))
  drafts.set(new Map(drafts.get()).set(threadId, next))
}

export function useReplyDraft(threadId: string): ReplyDraft | null {
  return useSyncExternalStore(drafts.subscribe, () => {
    const all = drafts.get()
    if (!all.has(threadId)) all.set(threadId, storedDraft(threadId))
    return all.get(threadId)!
  })
}

function storedDraft(threadId: string): ReplyDraft | null {
  const draft = stored('localStorage', PREFIX + threadId).readJson()
  const { text, key, problem, sentAfter } = (draft ?? {}) as Record<string, unknown>
  if (typeof text !== 'string') return null
  return {
    text,
    key: textOrNull(key) ?? newKey(),
    problem: textOrNull(problem),
    sentAfter: textOrNull(sentAfter),
  }
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** When the newest part of a thread was written. */
export function newestIn({ created_at: at, replies }: Thread): string {
  return replies.at(-1)?.created_at ?? at
}

/** Whether the thread has the reply: it arrived, and only the answer was lost. */
export function isDelivered(
  { replies }: Thread,
  { text, sentAfter }: Pick<ReplyDraft, 'text' | 'sentAfter'>,
): boolean {
  if (sentAfter === null) return false
  const replyText = text.trim()
  return replies.some(
    ({ author, body, created_at: at }) =>
      author.kind === 'owner' && body === replyText && at > sentAfter,
  )
}
