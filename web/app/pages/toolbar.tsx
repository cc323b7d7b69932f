import { Search } from 'lucide-preact'
import type { RefObject } from 'preact/compat'
import { useSearchText } from '../hooks.ts'
import { ChoiceChip, PLAIN_CHIP } from '../ui/chip.tsx'
import { INPUT } from '../ui/field.tsx'
import { Menu } from '../ui/menu.tsx'
import { CHOICES, type Choice, type Filters, SORTS, type Sort, sortedBy } from './filters.ts'
import { SaveView } from './folders.tsx'

interface ToolbarProps {
  filters: Filters
  onChange(filters: Filters, isTyping?: boolean): void
  searchBox: RefObject<HTMLInputElement | null>
}

/** What is shown, as chips: on a phone one line of them, which scrolls. */
export function Toolbar({ filters, onChange, searchBox }: ToolbarProps) {
  const [text, setText] = useSearchText(filters.search ?? '', (search) =>
    onChange({ ...filters, search }, true),
  )
  return (
    <search className="mb-2 flex flex-wrap items-center gap-2">
      <div className="relative min-w-40 flex-1 sm:max-w-80">
        <Search
          size={16}
          aria-hidden
          className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-muted"
        />
        <input
          ref={searchBox}
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
