import { Search } from 'lucide-preact'
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'preact/compat'
import { useLater } from '../hooks.ts'
import { ChoiceChip, PLAIN_CHIP } from '../ui/chip.tsx'
import { INPUT } from '../ui/field.tsx'
import { Menu } from '../ui/menu.tsx'
import { CHOICES, type Choice, type Filters, SORTS, type Sort, sortedBy } from './filters.ts'
import { SaveView } from './folders.tsx'

const SEARCH_AFTER_MS = 200

interface ToolbarProps {
  filters: Filters
  onChange(filters: Filters, isTyping?: boolean): void
  searchBox: RefObject<HTMLInputElement | null>
}

/** What is shown, as chips: on a phone one line of them, which scrolls. */
export function Toolbar({ filters, onChange, searchBox }: ToolbarProps) {
  return (
    <search className="mb-2 flex flex-wrap items-center gap-2">
      <SearchBox
        text={filters.search ?? ''}
        element={searchBox}
        onSearch={(search) => onChange({ ...filters, search }, true)}
      />
      <div className="-mx-4 flex max-w-[100vw] scroll-px-2 gap-2 overflow-x-auto px-4 py-1 sm:mx-0 sm:px-1">
        {(Object.keys(CHOICES) as Choice[]).map((name) => (
          <ChoiceChip
            key={name}
            {...CHOICES[name]}
            value={filters[name]}
            onChange={(value) => onChange({ ...filters, [name]: value })}
          />
        ))}
        <SortChip filters={filters} onChange={onChange} />
      </div>
      <SaveView filters={filters} />
    </search>
  )
}

function SortChip({ filters, onChange }: Pick<ToolbarProps, 'filters' | 'onChange'>) {
  const { sort = 'updated' } = filters
  const orders = Object.entries(SORTS).map(([key, word]) => ({
    label: word,
    isChosen: key === sort,
    onSelect: () => key !== sort && onChange(sortedBy(filters, key as Sort)),
  }))
  const reverse = { label: 'Reverse the order', onSelect: () => onChange(sortedBy(filters, sort)) }
  const items = [...orders, reverse]
  return <Menu label={`Sort: ${SORTS[sort]}`} look={PLAIN_CHIP} items={items} />
}

interface SearchBoxProps {
  text: string
  element: RefObject<HTMLInputElement | null>
  onSearch(text: string): void
}

/** Searches once one has stopped typing for a moment. */
function SearchBox({ text: query, element, onSearch }: SearchBoxProps) {
  const [text, setText] = useState(query)
  const input = useLater(text.trim(), SEARCH_AFTER_MS)
  const lastQuery = useRef(query)
  const search = useEffectEvent(() => {
    if (input === lastQuery.current) return
    lastQuery.current = input
    onSearch(input)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each text
  useEffect(() => search(), [input])
  useEffect(() => {
    // Another search than was asked for here, such as after going back.
    if (query === lastQuery.current) return
    lastQuery.current = query
    setText(query)
  }, [query])
  return (
    <div className="relative min-w-40 flex-1 sm:max-w-80">
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
