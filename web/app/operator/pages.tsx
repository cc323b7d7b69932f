import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Output } from '../../../src/client/index.ts'
import { count, formatBytes } from '../../../src/model/numbers.ts'
import { api, messageOf } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { useUnsentForm } from '../ui/leave-notice.tsx'
import { Time } from '../ui/time.tsx'
import { showError, showToast } from '../ui/toast.tsx'
import { List, SearchField, usePagesOf } from './list.tsx'

type Listed = Output<'listAllPages'>['data'][number]

/** The pages of all accounts, not their content: to take one down, and to give it back. */
export function AllPages() {
  const { search, setSearch, query, items } = usePagesOf('pages', (input) =>
    api.listAllPages(input),
  )
  const [asked, setAsked] = useState<Listed | null>(null)
  const giveBack = useGiveBack()
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="sm:max-w-80">
        <SearchField label="Search all pages" search={search} onSearch={setSearch} />
      </div>
      <List label="All pages" items={items} query={query} none="No page has this name.">
        {(page) => (
          <PageRow
            page={page}
            onTakeDown={() => setAsked(page)}
            onGiveBack={() => giveBack.mutate(page)}
          />
        )}
      </List>
      {asked && <TakeDown page={asked} onClose={() => setAsked(null)} />}
    </div>
  )
}

interface PageRowProps {
  page: Listed
  onTakeDown(): void
  onGiveBack(): void
}

function PageRow({ page, onTakeDown, onGiveBack }: PageRowProps) {
  const { title, slug, url, owner, taken_down_at: takenDownAt } = page
  const name = title ?? slug
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
      <div className="min-w-0 flex-1 basis-64">
        <p className="truncate font-medium">
          <bdi>{name}</bdi>
        </p>
        <p className="truncate text-13 text-muted">
          <a href={url} target="_blank" rel="noopener noreferrer" className="hover:text-ink">
            /p/{slug}
          </a>
          , {owner}
        </p>
        {page.is_account_suspended && (
          <p className="text-13 text-danger">Not served: its account is suspended</p>
        )}
        {takenDownAt && (
          <p className="text-13 text-danger" dir="auto">
            Taken down <Time at={takenDownAt} />: {page.taken_down_reason}
          </p>
        )}
      </div>
      <p className="text-13 text-muted tabular-nums">
        {count(page.views, 'view')}, {formatBytes(page.size_bytes)}
      </p>
      {takenDownAt ? (
        <Button onClick={onGiveBack} aria-label={`Give back ${name}`}>
          Give back
        </Button>
      ) : (
        <Button onClick={onTakeDown} aria-label={`Take down ${name}`}>
          Take down
        </Button>
      )}
    </div>
  )
}

function useGiveBack() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: Listed) => api.giveBackPage({ page_id: id }),
    onSuccess: () => showToast('Given back: it opens as before'),
    onError: (err) => showError(messageOf(err)),
    onSettled: () => client.invalidateQueries({ queryKey: ['operator', 'pages'] }),
  })
}

/** Asks for the reason, which its owner is mailed. */
function TakeDown({ page, onClose }: { page: Listed; onClose(): void }) {
  const client = useQueryClient()
  const [reason, setReason] = useState('')
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.takeDownPage({ page_id: page.id, reason }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['operator', 'pages'] })
      showToast('Taken down')
      onClose()
    },
  })
  const { close, question } = useUnsentForm({
    unsent: reason.trim() === '' ? null : 'the reason',
    onClose,
  })
  return (
    <Dialog
      title="Take this page down?"
      onClose={close}
      actions={
        question || (
          <>
            <Button onClick={onClose}>Leave it up</Button>
            <Button look="danger" type="submit" form="take-down" disabled={isPending}>
              Take page down
            </Button>
          </>
        )
      }
    >
      <form
        id="take-down"
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          mutate()
        }}
      >
        <p className="break-words">
          Visitors of <bdi>{page.title ?? page.slug}</bdi> meet a notice at once. {page.owner} is
          mailed the reason, and cannot open it again. Nothing is deleted.
        </p>
        <TextField
          label="Reason"
          required
          maxLength={500}
          value={reason}
          error={error && messageOf(error)}
          onChange={(event) => setReason(event.target.value)}
        />
      </form>
    </Dialog>
  )
}
