import { useState } from 'preact/compat'
import type { Output } from '../../../src/client/index.ts'
import { count, formatBytes } from '../../../src/model/numbers.ts'
import { api } from '../api.ts'
import { nameOf } from '../page/words.ts'
import { Button } from '../ui/button.tsx'
import { FormDialog } from '../ui/confirm.tsx'
import { TextField } from '../ui/field.tsx'
import { SearchableList } from '../ui/list.tsx'
import { openDialog, useClose } from '../ui/open-dialog.tsx'
import { ListRow } from '../ui/section.tsx'
import { Time } from '../ui/time.tsx'
import { useAction } from '../use-action.ts'

type Listed = Output<'listAllPages'>['data'][number]
const REFRESH = [['operator', 'pages']]

export function AllPages() {
  return (
    <SearchableList
      name="pages"
      label="All pages"
      searchLabel="Search all pages"
      none="No page has this name."
      read={(input) => api.listAllPages(input)}
    >
      {(page) => <PageItem page={page} />}
    </SearchableList>
  )
}

function PageItem({ page }: { page: Listed }) {
  const { id, slug, url, owner, taken_down_at: takenDownAt } = page
  const giveBack = useAction(() => api.giveBackPage({ page_id: id }), {
    said: 'Given back: it opens as before',
    refresh: REFRESH,
  })
  const takeDown = () => openDialog(<TakeDown page={page} />)
  const name = nameOf(page)
  return (
    <ListRow
      name={<bdi>{name}</bdi>}
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
        <Button mutation={giveBack} aria-label={`Give back ${name}`}>
          Give back
        </Button>
      ) : (
        <Button onClick={takeDown} aria-label={`Take down ${name}`}>
          Take down
        </Button>
      )}
    </ListRow>
  )
}

function TakeDown({ page }: { page: Listed }) {
  const [reason, setReason] = useState('')
  const takedown = useAction(() => api.takeDownPage({ page_id: page.id, reason }), {
    hasPlace: true,
    said: 'Taken down',
    refresh: REFRESH,
    onDone: useClose(),
  })
  return (
    <FormDialog
      title="Take this page down?"
      action="Take page down"
      look="danger"
      cancel="Leave it up"
      mutation={takedown}
      unsent={reason.trim() === '' ? null : 'the reason'}
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
        error={takedown.error}
        onText={setReason}
      />
    </FormDialog>
  )
}
