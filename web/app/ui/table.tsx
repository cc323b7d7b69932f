import type { ComponentProps, ElementType, ReactNode } from 'react'

interface TableProps {
  label: string
  columns: readonly string[]
  /** By its key, what stands in each row; the first cell names it. */
  rows: readonly (readonly [key: string, ...cells: ReactNode[]])[]
}

/** A small table, which scrolls sideways where it has no space. */
export function Table({ label, columns, rows }: TableProps) {
  return (
    <ScrollArea className="overflow-x-auto">
      <table aria-label={label} className="w-full text-13">
        <thead className="text-left text-muted">
          <tr className="border-b border-line">
            {columns.map((name) => (
              <th key={name} scope="col" className="py-2 pr-4 font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([key, name, ...cells]) => (
            <tr key={key} className="border-b border-line align-top">
              <th scope="row" className="max-w-64 py-2 pr-4 text-left font-normal">
                {name}
              </th>
              {cells.map((cell, at) => (
                <td key={columns[at + 1]} className="py-2 pr-4">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

/** Content that scrolls in its place. It takes the focus, so that keys scroll it, too. */
export function ScrollArea({
  as: Area = 'div',
  ...rest
}: ComponentProps<'div'> & { as?: ElementType }) {
  return <Area tabIndex={0} {...rest} />
}
