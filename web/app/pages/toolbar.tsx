import { ListFilter, Search, X } from 'lucide-preact'
import {
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'preact/compat'
import { useLater } from '../hooks.ts'
import { buttonClass, type Icon, iconOf } from '../ui/button.tsx'
import { INPUT, Select } from '../ui/field.tsx'
import {
  CHOICES,
  type Choice,
  type Filters,
  orderOf,
  SORTS,
  type Sort,
  sortedBy,
} from './filters.ts'

const SEARCH_AFTER_MS = 200

interface ToolbarProps {
  filters: Filters
  onChange(filters: Filters, isTyping?: boolean): void
  searchBox: RefObject<HTMLInputElement | null>
}

export function Toolbar({ filters, onChange, searchBox }: ToolbarProps) {
  const chosen = (Object.keys(CHOICES) as Choice[]).filter((name) => filters[name])
  return (
    <search className="mb-2 flex flex-wrap items-center gap-2">
      <SearchBox
        text={filters.search ?? ''}
        element={searchBox}
        onSearch={(search) => onChange({ ...filters, search }, true)}
      />
      <Popover label="Filter and sort" icon={ListFilter}>
        <Choices filters={filters} onChange={onChange} />
      </Popover>
      {chosen.map((name) => (
        <button
          key={name}
          type="button"
          onClick={() => onChange({ ...filters, [name]: undefined })}
          className="inline-flex min-h-9 items-center gap-1.5 rounded-full border border-line px-3 text-13 hover:border-control pointer-coarse:min-h-11"
        >
          <span className="sr-only">Remove the filter </span>
          {CHOICES[name].label}: {wordOf(name, filters[name]!)}
          <X size={14} aria-hidden />
        </button>
      ))}
    </search>
  )
}

function wordOf(name: Choice, value: string): string {
  return (CHOICES[name].words as Record<string, string>)[value] ?? value
}

interface SearchBoxProps {
  text: string
  element: RefObject<HTMLInputElement | null>
  onSearch(text: string): void
}

/** Searches once one has stopped typing for a moment. */
function SearchBox({ text: searched, element, onSearch }: SearchBoxProps) {
  const [text, setText] = useState(searched)
  const wanted = useLater(text.trim(), SEARCH_AFTER_MS)
  const asked = useRef(searched)
  const search = useEffectEvent(() => {
    if (wanted === asked.current) return
    asked.current = wanted
    onSearch(wanted)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each text
  useEffect(() => search(), [wanted])
  useEffect(() => {
    // Another search than was asked for here, such as after going back.
    if (searched === asked.current) return
    asked.current = searched
    setText(searched)
  }, [searched])
  return (
    <div className="relative min-w-48 flex-1 sm:max-w-80">
      <Search
        size={16}
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-muted"
      />
      <input
        ref={element}
        type="search"
        aria-label="Search pages"
        placeholder="Search pages"
        maxLength={200}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={({ key, currentTarget }) => {
          if (key !== 'Escape') return
          setText('')
          currentTarget.blur()
        }}
        className={`${INPUT} pl-9!`}
      />
    </div>
  )
}

function Choices({ filters, onChange }: Pick<ToolbarProps, 'filters' | 'onChange'>) {
  const isByTitle = filters.sort === 'title'
  return (
    <div className="grid gap-3">
      {(Object.keys(CHOICES) as Choice[]).map((name) => (
        <Select
          key={name}
          label={CHOICES[name].label}
          value={filters[name] ?? ''}
          options={CHOICES[name].words}
          onText={(value) => onChange({ ...filters, [name]: value || undefined })}
        >
          <option value="">All</option>
        </Select>
      ))}
      <Select
        label="Sort by"
        value={filters.sort ?? 'updated'}
        options={SORTS}
        onText={(sort) => onChange(sortedBy(filters, sort as Sort))}
      />
      <Select
        label="Order"
        value={orderOf(filters)}
        options={{
          desc: isByTitle ? 'Z to A' : 'Most or newest first',
          asc: isByTitle ? 'A to Z' : 'Least or oldest first',
        }}
        onText={() => onChange(sortedBy(filters, filters.sort ?? 'updated'))}
      />
    </div>
  )
}

/** A button with a panel under it, which Escape and a press beside it close. */
function Popover({ label, icon, children }: { label: string; icon?: Icon; children: ReactNode }) {
  const id = useId()
  const panel = useRef<HTMLElement>(null)
  const button = useRef<HTMLButtonElement>(null)

  function place(): void {
    const { bottom, right } = button.current!.getBoundingClientRect()
    const { style } = panel.current!
    style.top = `${bottom + 4}px`
    style.right = `${Math.max(8, document.documentElement.clientWidth - right)}px`
  }
  return (
    <>
      <button ref={button} type="button" popoverTarget={id} className={buttonClass('plain')}>
        {iconOf(icon)}
        {label}
      </button>
      <section
        ref={panel}
        id={id}
        popover="auto"
        aria-label={label}
        onBeforeToggle={(event) => event.newState === 'open' && place()}
        className="inset-auto m-0 w-72 max-w-[calc(100vw-1rem)] rounded-card border border-line bg-raised p-4 text-ink shadow-float"
      >
        {children}
      </section>
    </>
  )
}
