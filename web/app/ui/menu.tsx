import { useId, useRef } from 'preact/compat'
import { type Icon, IconButton, iconOf } from './button.tsx'

export interface MenuItem {
  label: string
  icon?: Icon
  isDanger?: boolean
  isDisabled?: boolean
  onSelect(): void
}

/** A button with a menu: arrow keys, Home, End and Escape work as in the system's menus. */
export function Menu({ label, icon, items }: { label: string; icon: Icon; items: MenuItem[] }) {
  const id = useId()
  const menu = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const close = () => menu.current?.hidePopover()

  function place(): void {
    const { bottom, right } = button.current!.getBoundingClientRect()
    const { style } = menu.current!
    style.top = `${bottom + 4}px`
    style.right = `${document.documentElement.clientWidth - right}px`
  }
  function move(event: KeyboardEvent): void {
    const options = [...menu.current!.querySelectorAll<HTMLElement>('[role=menuitem]')]
    const at = options.indexOf(document.activeElement as HTMLElement)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: options.length - 1 }[event.key]
    if (event.key === 'Tab') close()
    if (to === undefined) return
    event.preventDefault()
    options.at(to % options.length)?.focus()
  }

  return (
    <>
      <IconButton
        ref={button}
        label={label}
        icon={icon}
        size={18}
        popoverTarget={id}
        aria-haspopup="menu"
      />
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        onKeyDown={move}
        onBeforeToggle={(event) => event.newState === 'open' && place()}
        onToggle={(event) =>
          event.newState === 'open' &&
          menu.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus()
        }
        className="inset-auto m-0 min-w-52 rounded-card border border-line bg-raised p-1 text-ink shadow-float"
      >
        {items.map(({ label: text, icon: itemIcon, isDanger, isDisabled, onSelect }) => (
          <button
            key={text}
            type="button"
            role="menuitem"
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
          </button>
        ))}
      </div>
    </>
  )
}
