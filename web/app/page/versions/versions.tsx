import { useQuery } from '@tanstack/preact-query'
import { Ellipsis, X } from 'lucide-preact'
import { useState } from 'preact/compat'
import { useLocation } from 'wouter-preact'
import { count, formatBytes } from '../../../../src/model/numbers.ts'
import { api, type Output, type Page } from '../../api.ts'
import { Button, IconButton, QuietButton } from '../../ui/button.tsx'
import { openDialog } from '../../ui/dialog.tsx'
import { Menu } from '../../ui/menu.tsx'
import { NameDialog } from '../../ui/name-dialog.tsx'
import { Pending } from '../../ui/states.tsx'
import { useSearchParam } from '../../ui/tab-links.tsx'
import { Time } from '../../ui/time.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useAction } from '../../use-action.ts'
import { Differences } from '../differences.tsx'
import { changesQuery, downloadContent, pageQuery, versionsQuery } from '../use-page.ts'

const HOW = { publish: 'Published', edit: 'Saved', restore: 'Restored' }

/** What a version came from. */
const VIA: Record<string, string> = {
  api: 'through the API',
  mcp: 'by an agent',
  cli: 'from the command line',
  upload: 'in the app',
  editor: 'in the app',
  autosave: 'by itself while editing in the app',
}

export default function VersionsTab({ page }: { page: Page }) {
  const { data, error, refetch } = useQuery(versionsQuery(page.id))
  /** A link of a comment: the version that it was written on, to compare with the live one. */
  const writtenOn = Number(useSearchParam('from')[0])
  const [selection, setSelection] = useState<number[] | null>(null)
  if (data === undefined) return <Pending error={error} onRetry={refetch} rows={8} />
  const { data: versions } = data
  const live = versions.find((version) => version.is_live)?.version_no
  const isLinked = writtenOn > 0 && live !== undefined && live !== writtenOn
  const isKept = (no: number) => versions.some(({ version_no }) => version_no === no)
  const pair = (selection ?? (isLinked ? [writtenOn, live] : [])).filter(isKept)

  /** Two are compared: a third takes the place of the one that was picked first. */
  function pick(no: number, isPicked: boolean): void {
    setSelection(isPicked ? [...pair, no].slice(-2) : pair.filter((one) => one !== no))
  }
  const [from, to] = pair.toSorted((a, b) => a - b)
  return (
    <div className="grid grid-cols-1 gap-6">
      {isLinked && !isKept(writtenOn) && <p>Version {writtenOn} is not kept any more.</p>}
      {to === undefined ? (
        <p className="max-w-2xl text-muted">
          Each publish and each save makes a version. Pick two to see what differs. Named versions
          are kept for ever; of the others, the newest 50.
        </p>
      ) : (
        <Compared page={page} from={from!} to={to} onClose={() => setSelection([])} />
      )}
      <ol aria-label="Versions" className="border-t border-line">
        {versions.map((version) => (
          <VersionRow
            key={version.version_no}
            page={page}
            version={version}
            isPicked={pair.includes(version.version_no)}
            onPick={(isPicked) => pick(version.version_no, isPicked)}
          />
        ))}
      </ol>
    </div>
  )
}

interface ComparedProps {
  page: Page
  from: number
  to: number
  onClose(): void
}

function Compared({ page, from, to, onClose }: ComparedProps) {
  const { data, error, refetch } = useQuery(changesQuery(page.id, { from, to }, 'versions'))
  return (
    <section aria-labelledby="compared">
      <div className="mb-2 flex items-center justify-between gap-4">
        <h2 id="compared" className="font-medium">
          Version {from} to version {to}
          {data && (
            <span className="ml-3 font-normal text-muted">
              {count(data.passages, 'passage differs', 'passages differ')}
            </span>
          )}
        </h2>
        <IconButton label="Close the comparison" icon={X} size={18} onClick={onClose} />
      </div>
      {data ? <Differences changes={data} /> : <Pending error={error} onRetry={refetch} rows={4} />}
    </section>
  )
}

interface VersionRowProps {
  page: Page
  version: Version
  isPicked: boolean
  onPick(isPicked: boolean): void
}

function VersionRow(props: VersionRowProps) {
  const { page, version, isPicked, onPick } = props
  const { is_live: isLive = false, is_draft: isDraft = false } = version
  const { version_no: no, label, source, size_bytes: bytes, created_at: at } = version
  const { via, key_name: keyName } = version
  const rename = () => nameVersion(page, version)
  const [, navigate] = useLocation()
  const restore = useRestore(page)
  const name = `version ${no}`
  const id = `version-${no}`
  return (
    <li className="flex items-center gap-3 border-b border-line py-2.5">
      <input
        type="checkbox"
        aria-label={`Compare ${name}`}
        checked={isPicked}
        onChange={(event) => onPick(event.currentTarget.checked)}
        className="size-4 shrink-0 accent-accent"
      />
      <span id={id} className="w-8 shrink-0 text-right text-muted tabular-nums">
        <span className="sr-only">Version </span>
        {no}
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-3">
          {label !== null && (
            <b className="min-w-0 font-medium break-words" dir="auto">
              {label}
            </b>
          )}
          <span className={label === null ? '' : 'text-muted'}>
            {HOW[source]} <Time at={at} />
          </span>
          {isLive && <Mark>Live</Mark>}
          {isDraft && !isLive && <Mark>Draft</Mark>}
        </p>
        <p className="text-13 text-muted tabular-nums">
          {formatBytes(bytes)}
          {via != null && `, ${VIA[via] ?? via}`}
          {keyName != null && ` with the key “${keyName}”`}
          {label !== null && ', kept for ever'}
        </p>
      </div>
      <div className="flex shrink-0 items-center gap-1">
        <QuietButton className="max-sm:hidden" aria-describedby={id} onClick={rename}>
          Name version
        </QuietButton>
        {!isDraft && (
          <Button
            className="max-sm:hidden"
            aria-describedby={id}
            disabled={restore.isPending}
            onClick={() => restore.mutate({ no, publish: false })}
          >
            Restore
          </Button>
        )}
        <Menu
          label={`More about ${name}`}
          icon={Ellipsis}
          items={[
            { label: 'Preview', onSelect: () => navigate(`/pages/${page.id}?version=${no}`) },
            { label: 'Download', onSelect: () => downloadContent(page, no) },
            { label: 'Name version', onSelect: rename },
            {
              label: 'Restore',
              isDisabled: isDraft || restore.isPending,
              onSelect: () => restore.mutate({ no, publish: false }),
            },
            {
              label: 'Restore and publish',
              isDisabled: isLive || restore.isPending,
              onSelect: () => restore.mutate({ no, publish: true }),
            },
          ]}
        />
      </div>
    </li>
  )
}

function Mark({ children }: { children: string }) {
  return (
    <span className="rounded-control border border-control px-1.5 text-12 font-medium">
      {children}
    </span>
  )
}

/** Names a version, which is then kept for ever; an empty name clears it. */
function nameVersion({ id }: Page, { version_no: no, label }: Version): void {
  openDialog(
    <NameDialog
      title={`Name version ${no}`}
      action="Save name"
      cancel="Cancel"
      before={label ?? ''}
      required={false}
      maxLength={200}
      dir="auto"
      placeholder="As sent to Ann"
      help="A named version is kept for ever. Without a name, it is kept among the newest 50."
      refresh={[versionsQuery(id).queryKey]}
      save={(name) => api.nameVersion({ id, version_no: no, label: name || null })}
    />,
  )
}

interface Restored {
  no: number
  /** Whether visitors see it as well. */
  publish: boolean
}

/** Restores a version as the draft, and offers to undo it: the replaced draft is a version, too. */
function useRestore({ id }: Page) {
  const refresh = [pageQuery(id).queryKey, versionsQuery(id).queryKey, ['pages']]
  const undo = useAction(
    async ({ draft, live, publish }: Record<'draft' | 'live', number | null> & Restored) => {
      if (publish && live !== null) {
        await api.restoreVersion({ id, version_no: live, publish: true })
      }
      if (draft !== null && !(publish && draft === live)) {
        await api.restoreVersion({ id, version_no: draft })
      }
    },
    { said: 'Taken back', refresh },
  )
  return useAction(
    async ({ no, publish }: Restored) => {
      const before = await api.listVersions({ id, with_use: true })
      await api.restoreVersion({ id, version_no: no, publish })
      return before.data
    },
    {
      refresh,
      onDone(versions, restored) {
        const { no, publish } = restored
        const draft = versions.find((one) => one.is_draft)?.version_no ?? null
        const live = versions.find((one) => one.is_live)?.version_no ?? null
        const text = publish ? `Version ${no} is live` : `Version ${no} is the draft now`
        // A page that was not published, or whose version is no longer kept, has none before.
        const canUndo = (publish ? live : draft) !== null
        showToast(text, canUndo ? { undo: () => undo.mutate({ draft, live, ...restored }) } : {})
      },
    },
  )
}

type Version = Output<'listVersions'>['data'][number]
