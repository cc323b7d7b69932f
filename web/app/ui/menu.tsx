import { Check, ChevronDown } from 'lucide-preact'
import { useId, useRef } from 'preact/compat'
import { type Icon, IconButton, iconOf } from './button.tsx'

export interface MenuItem {
  label: string
  icon?: Icon
  isDanger?: boolean
  isDisabled?: boolean
  /** Of a menu that chooses one of several: whether it is this one. */
  isChosen?: boolean
  onSelect(): void
}

interface MenuProps {
  label: string
  icon?: Icon
  items: MenuItem[]
  /** The look of a button with the label as its text; without it the button is the icon. */
  look?: string
}

const ITEMS = '[role=menuitem], [role=menuitemradio]'

/** A button with a menu: arrow keys, Home, End and Escape work as in the system's menus. */
export function Menu({ label, icon, items, look }: MenuProps) {
  const id = useId()
  const menu = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const opener = { ref: button, popoverTarget: id, 'aria-haspopup': 'menu' } as const
  const close = () => menu.current?.hidePopover()

  function place(): void {
    const { top, bottom, left, right } = button.current!.getBoundingClientRect()
    const { style } = menu.current!
    const { clientWidth: width, clientHeight: height } = document.documentElement
    // Towards the middle of the window.
    const isAbove = top + bottom > height
    style.top = isAbove ? 'auto' : `${bottom + 4}px`
    style.bottom = isAbove ? `${height - top + 4}px` : 'auto'
    style.maxHeight = `${(isAbove ? top : height - bottom) - 12}px`
    const isLeft = left + right < width
    style.left = isLeft ? `${Math.max(8, left)}px` : 'auto'
    style.right = isLeft ? 'auto' : `${Math.max(8, width - right)}px`
  }
  function move(event: KeyboardEvent): void {
    const options = [...menu.current!.querySelectorAll<HTMLElement>(ITEMS)]
    const at = options.indexOf(document.activeElement as HTMLElement)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: options.length - 1 }[event.key]
    if (event.key === 'Tab') close()
    if (to === undefined) return
    event.preventDefault()
    options.at(to % options.length)?.focus()
  }

  return (
    <>
      {look === undefined ? (
        <IconButton {...opener} label={label} icon={icon} size={18} />
      ) : (
        <button {...opener} type="button" className={look}>
          {iconOf(icon)}
          {label}
          <ChevronDown size={14} aria-hidden />
        </button>
      )}
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        onKeyDown={move}
        onBeforeToggle={(event) => event.newState === 'open' && place()}
        onToggle={(event) =>
          event.newState === 'open' && menu.current?.querySelector<HTMLElement>(ITEMS)?.focus()
        }
        className="inset-auto m-0 min-w-52 max-w-[92vw] overflow-y-auto rounded-card border border-line bg-raised p-1 text-ink shadow-float"
      >
        {items.map(({ label: text, icon: itemIcon, isDanger, isDisabled, isChosen, onSelect }) => (
          <button
            key={text}
            type="button"
            {...(isChosen === undefined
              ? { role: 'menuitem' as const }
              : { role: 'menuitemradio' as const, 'aria-checked': isChosen })}
            tabIndex={-1}
            disabled={isDisabled}
            onClick={() => {
              close()
              onSelect()
            }}
            className={`flex w-full items-center gap-3 rounded-control px-3 py-1.5 text-left hover:bg-sunk focus-visible:bg-sunk disabled:opacity-50 pointer-coarse:min-h-11 ${isDanger ? 'text-danger' : ''}`}
          >
            {iconOf(itemIcon)}
            {text}
            {isChosen && <Check size={16} aria-hidden className="ml-auto" />}
          </button>
        ))}
      </div>
    </>
  )
}
