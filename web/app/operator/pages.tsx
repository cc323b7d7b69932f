import { useState } from 'preact/compat'
import type { Output } from '../../../src/client/index.ts'
import { count, formatBytes } from '../../../src/model/numbers.ts'
import { api } from '../api.ts'
import { nameOf } from '../page/words.ts'
import { Button } from '../ui/button.tsx'
import { FormDialog } from '../ui/confirm.tsx'
import { TextField } from '../ui/field.tsx'
import { Time } from '../ui/time.tsx'
import { useAction } from '../use-action.ts'
import { Item, SearchableList } from './list.tsx'

type Listed = Output<'listAllPages'>['data'][number]
const REFRESH = [['operator', 'pages']]

export function AllPages() {
  const [target, setTarget] = useState<Listed | null>(null)
  const giveBack = useAction(({ id }: Listed) => api.giveBackPage({ page_id: id }), {
    said: 'Given back: it opens as before',
    refresh: REFRESH,
  })
  return (
    <>
      <SearchableList
        name="pages"
        label="All pages"
        searchLabel="Search all pages"
        none="No page has this name."
        read={(input) => api.listAllPages(input)}
      >
        {(page) => <PageItem page={page} onTakeDown={setTarget} onGiveBack={giveBack.mutate} />}
      </SearchableList>
      {target && <TakeDown page={target} onClose={() => setTarget(null)} />}
    </>
  )
}

interface PageItemProps {
  page: Listed
  onTakeDown(page: Listed): void
  onGiveBack(page: Listed): void
}

function PageItem({ page, onTakeDown, onGiveBack }: PageItemProps) {
  const { slug, url, owner, taken_down_at: takenDownAt } = page
  const name = nameOf(page)
  return (
    <Item
      title={<bdi>{name}</bdi>}
      about={
        <>
          <a href={url} target="_blank" rel="noopener noreferrer" className="hover:text-ink">
            /p/{slug}
          </a>
          , {owner}
        </>
      }
      problem={
        <>
          {page.is_account_suspended && <p>Not served: its account is suspended</p>}
          {takenDownAt && (
            <p dir="auto">
              Taken down <Time at={takenDownAt} />: {page.taken_down_reason}
            </p>
          )}
        </>
      }
      facts={`${count(page.views, 'view')}, ${formatBytes(page.size_bytes)}`}
    >
      {takenDownAt ? (
        <Button onClick={() => onGiveBack(page)} aria-label={`Give back ${name}`}>
          Give back
        </Button>
      ) : (
        <Button onClick={() => onTakeDown(page)} aria-label={`Take down ${name}`}>
          Take down
        </Button>
      )}
    </Item>
  )
}

function TakeDown({ page, onClose }: { page: Listed; onClose(): void }) {
  const [reason, setReason] = useState('')
  const { mutate, isPending, error } = useAction(
    () => api.takeDownPage({ page_id: page.id, reason }),
    { hasPlace: true, said: 'Taken down', refresh: REFRESH, onDone: onClose },
  )
  return (
    <FormDialog
      title="Take this page down?"
      action="Take page down"
      look="danger"
      cancel="Leave it up"
      isSending={isPending}
      unsent={reason.trim() === '' ? null : 'the reason'}
      onSubmit={mutate}
      onClose={onClose}
    >
      <p className="break-words">
        Visitors of <bdi>{nameOf(page)}</bdi> meet a notice at once. {page.owner} finds the reason
        in the app, and cannot open it again. Nothing is deleted.
      </p>
      <TextField
        label="Reason"
        required
        maxLength={500}
        value={reason}
        error={error}
        onText={setReason}
      />
    </FormDialog>
  )
}
