import { useQuery } from '@tanstack/preact-query'
import { Monitor, Smartphone } from 'lucide-preact'
import { type ReactNode, useId, useState } from 'preact/compat'
import { Link, useSearchParams } from 'wouter-preact'
import { count } from '../../../../src/model/numbers.ts'
import type { Page } from '../../api.ts'
import { type Icon, iconOf } from '../../ui/button.tsx'
import { Note } from '../../ui/field.tsx'
import { TextLink } from '../../ui/link.tsx'
import { Pending } from '../../ui/states.tsx'
import { Differences } from '../differences.tsx'
import { changesQuery, versionsQuery } from '../use-page.ts'
import { ContentFrame, type FrameWidth } from './content-frame.tsx'

type View = 'live' | 'draft' | 'both'

export function PreviewTab({ page }: { page: Page }) {
  const [params] = useSearchParams()
  const version = Number(params.get('version'))
  const [width, widths] = useWidths()
  if (Number.isInteger(version) && version > 0) {
    return <VersionPreview page={page} version={version} width={width} widths={widths} />
  }
  return <CurrentPreview page={page} width={width} widths={widths} />
}

/** The width of the frames, and the choice of it. */
export function useWidths() {
  const [width, setWidth] = useState<FrameWidth>(preferredWidth)
  const widths = (
    <Choice<FrameWidth>
      label="Width"
      value={width}
      onChange={setWidth}
      options={[
        { value: 'desktop', label: 'Desktop', icon: Monitor },
        { value: 'phone', label: 'Phone', icon: Smartphone },
      ]}
    />
  )
  return [width, widths] as const
}

interface PreviewProps {
  page: Page
  width: FrameWidth
  widths: ReactNode
}

function VersionPreview({ page, version, width, widths }: PreviewProps & { version: number }) {
  const path = `/pages/${page.id}`
  return (
    <div className="grid gap-3">
      <Bar widths={widths}>
        <p>
          Version {version}. <TextLink href={`${path}/versions`}>All versions</TextLink>{' '}
          <Link href={path} className="link ml-2">
            What is there now
          </Link>
        </p>
      </Bar>
      <Frames>
        <ContentFrame page={page} version={version} title={`Version ${version}`} width={width} />
      </Frames>
    </div>
  )
}

function CurrentPreview({ page, width, widths }: PreviewProps) {
  const { data, error, refetch } = useQuery(versionsQuery(page.id))
  const differs = page.is_published && page.has_unpublished_changes
  const { matches: isWide } = matchMedia('(min-width: 51.25rem)')
  const [selection, setSelection] = useState<View>(isWide ? 'both' : 'draft')
  if (data === undefined) return <Pending error={error} onRetry={refetch} rows={8} />
  const view = differs ? selection : page.is_published ? 'live' : 'draft'
  const live = data.data.find(({ is_live: isLive }) => isLive)?.version_no ?? null
  return (
    <div className="grid gap-3">
      <Bar widths={widths}>
        {differs ? (
          <Choice<View>
            label="Shown"
            value={view}
            onChange={setSelection}
            options={[
              { value: 'live', label: 'Live' },
              { value: 'draft', label: 'Draft' },
              { value: 'both', label: 'Both' },
            ]}
          />
        ) : (
          <Note>
            {page.is_published ? 'What visitors see.' : 'Not published: only you see this draft.'}
          </Note>
        )}
      </Bar>
      {differs && <Passages page={page} />}
      <Frames isPair={view === 'both'}>
        {view !== 'draft' && live !== null && (
          <Named name={view === 'both' ? 'Live' : null}>
            <ContentFrame page={page} version={live} title="What visitors see" width={width} />
          </Named>
        )}
        {view !== 'live' && (
          <Named name={view === 'both' ? 'Draft' : null}>
            <ContentFrame page={page} width={width} />
          </Named>
        )}
      </Frames>
    </div>
  )
}

export function Bar({ children, widths }: { children: ReactNode; widths: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      {children}
      {widths}
    </div>
  )
}

function Frames({ children, isPair = false }: { children: ReactNode; isPair?: boolean }) {
  return (
    <div
      className={`grid gap-4 ${isPair ? 'auto-rows-[60dvh] md:auto-rows-auto md:h-[max(30rem,calc(100dvh-20rem))] md:grid-cols-2' : 'h-[max(30rem,calc(100dvh-18rem))]'}`}
    >
      {children}
    </div>
  )
}

export function Named({ name, children }: { name: string | null; children: ReactNode }) {
  return (
    <div className="flex min-h-0 flex-col">
      {name && <h2 className="mb-1.5 text-13 text-muted">{name}</h2>}
      <div className="min-h-0 flex-1">{children}</div>
    </div>
  )
}

export function preferredWidth(): FrameWidth {
  return matchMedia('(min-width: 40rem)').matches ? 'desktop' : 'phone'
}

function Passages({ page }: { page: Page }) {
  const { data } = useQuery(changesQuery(page.id, {}, `${page.sha256} ${page.updated_at}`))
  // The frames show both versions, so a failed count needs no error message.
  if (data === undefined) return <p className="min-h-6" />
  return (
    <details>
      <summary className="w-fit rounded-control text-13 text-muted hover:text-ink">
        {data.passages === 0
          ? 'The text is the same: markup, style or script differ'
          : count(data.passages, 'passage differs', 'passages differ')}
      </summary>
      <div className="mt-2 mb-1 max-h-96 overflow-y-auto">
        <Differences changes={data} />
      </div>
    </details>
  )
}

interface ChoiceProps<V extends string> {
  /** What is chosen here: read out, and not shown. */
  label: string
  value: V
  options: { value: V; label: string; icon?: Icon }[]
  onChange(value: V): void
}

/** A choice among few, which takes effect at once: radio buttons in one frame. */
function Choice<V extends string>({ label, value, options, onChange }: ChoiceProps<V>) {
  const name = useId()
  return (
    <fieldset className="inline-flex rounded-control border border-line bg-raised p-0.5">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className="inline-flex min-h-7 items-center gap-1.5 rounded-[4px] px-2.5 text-13 text-muted has-checked:bg-sunk has-checked:text-ink forced-colors:has-checked:bg-[Highlight] forced-colors:has-checked:text-[HighlightText] forced-colors:has-checked:forced-color-adjust-none has-focus-visible:outline-2 has-focus-visible:outline-accent pointer-coarse:min-h-10"
        >
          <input
            type="radio"
            name={name}
            className="sr-only"
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {iconOf(option.icon, 15)}
          {option.label}
        </label>
      ))}
    </fieldset>
  )
}
