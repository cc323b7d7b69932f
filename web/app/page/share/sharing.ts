import { useQueryClient } from '@tanstack/react-query'
import { createContext, useContext, useEffect, useState, useSyncExternalStore } from 'react'
import { ApiError } from '../../../../src/client/index.ts'
import { api, messageOf, signedOut } from '../../api.ts'
import type { Page } from '../../boot.ts'
import { showError } from '../../ui/toast.tsx'
import { pageQuery } from '../queries.ts'
import type { PageChange } from '../use-page.ts'
import { type Change, createSaver, type Saver, type SaverState, withChanges } from './saver.ts'

/** The state that all parts of the dialog share. */
export interface Sharing {
  /** With what is not saved yet. */
  page: Page
  /** As the server has it. */
  saved: Page
  state: SaverState
  saver: Saver
  drafts: Drafts
  save(field: string, values: Change['values']): void
}

export const SharingContext = createContext<Sharing | null>(null)

export function useSharing(): Sharing {
  return useContext(SharingContext)!
}

/** Saves the settings of a page, also after the dialog has been left. */
export function useSaver(page: Page): Sharing {
  const client = useQueryClient()
  const [{ saver, drafts }] = useState(() => {
    const { id } = page
    const { queryKey } = pageQuery(id)
    return {
      drafts: createDrafts(),
      saver: createSaver({
        send: async (change: PageChange) => (await api.updatePage({ id, ...change })).data,
        read: async () => (await api.getPage({ id })).data,
        onSaved(saved) {
          // A read that began before has the page as it was.
          void client.cancelQueries({ queryKey })
          client.setQueryData(queryKey, saved)
          void client.invalidateQueries({ queryKey: ['pages'] })
        },
      }),
    }
  })
  const state = useSyncExternalStore(saver.subscribe, saver.state)
  useSignInAgain(saver, state)
  useEffect(() => {
    return () => sayWhatFails(saver)
  }, [saver])
  // The cache has a saved page before the query notifies its observers: without this, a change
  // would disappear for a moment.
  const saved = client.getQueryData(pageQuery(page.id).queryKey) ?? page
  return {
    page: withChanges(saved, state.pending),
    saved,
    state,
    saver,
    drafts,
    save: (field, values) => saver.save({ field, values }),
  }
}

/** Asks to sign in when the session has ended, and saves what waits after that. */
function useSignInAgain(saver: Saver, { status }: SaverState): void {
  const error = status.name === 'stopped' ? status.error : null
  useEffect(() => {
    if (!(error instanceof ApiError)) return
    const resume = () => saver.resume()
    if (error.code === 'signed_out') {
      signedOut.set(true)
      return signedOut.subscribe(() => signedOut.get() || resume())
    }
    addEventListener('online', resume)
    return () => removeEventListener('online', resume)
  }, [saver, error])
}

/** Once the dialog is gone, only a message can say that a change was not saved. */
function sayWhatFails(saver: Saver): void {
  const before = saver.state().refusals
  const unsubscribe = saver.subscribe(() => {
    const { status, refusals, pending } = saver.state()
    for (const [field, message] of refusals) {
      if (before.get(field) !== message) showError(`Not saved: ${message}`)
    }
    if (status.name === 'stopped') showError(`Not saved: ${messageOf(status.error)}`)
    if (status.name === 'stopped' || pending.length === 0) unsubscribe()
  })
}

/** What is typed in a field and is not saved yet. */
interface Draft {
  /** As the field is called. */
  label: string
  /** Saves it where it can be saved. @returns whether it is stuck: nothing can save it as it is */
  commit(): boolean
}

/** The fields of the dialog that may have something typed in them. */
interface Drafts {
  add(draft: Draft): () => void
  /** Saves all that can be saved. @returns the names of the fields that are stuck */
  commitAll(): string[]
}

function createDrafts(): Drafts {
  const drafts = new Set<Draft>()
  return {
    add(draft) {
      drafts.add(draft)
      return () => drafts.delete(draft)
    },
    commitAll: () => [...drafts].filter((draft) => draft.commit()).map(({ label }) => label),
  }
}
