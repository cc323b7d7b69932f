import { type ReactNode, useId, useRef } from 'react'
import { buttonClass } from './button.tsx'

interface PopoverProps {
  label: string
  icon?: ReactNode
  children: ReactNode
}

/** A button with a panel under it, which Escape and a press beside it close. */
export function Popover({ label, icon, children }: PopoverProps) {
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
        {icon}
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
