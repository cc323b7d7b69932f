import { type ReactNode, useId } from 'react'

/** A part of the dialog, under a hairline. */
export function Section({
  title,
  note,
  children,
}: {
  title: string
  /** One line beside the title. */
  note?: ReactNode
  children: ReactNode
}) {
  const heading = useId()
  return (
    <section aria-labelledby={heading} className="border-t border-line py-5">
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 id={heading} className="font-serif text-17 font-medium">
          {title}
        </h3>
        {note && <p className="text-13 text-muted">{note}</p>}
      </div>
      <div className="grid grid-cols-1 gap-5">{children}</div>
    </section>
  )
}

/** The fields that a choice or a switch unfolds. */
export function Unfolded({ children }: { children: ReactNode }) {
  return <div className="grid grid-cols-1 gap-4 border-l-2 border-line pl-4">{children}</div>
}
