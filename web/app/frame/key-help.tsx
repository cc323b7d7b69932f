import { Dialog } from '../ui/dialog.tsx'
import { MODIFIER } from './rail.tsx'

const KEYS: [string, string][] = [
  [`${MODIFIER} K`, 'Search pages and commands'],
  ['c', 'Make a page'],
  ['/', 'Go to the search of a list'],
  ['j and k', 'Next and previous in a list'],
  ['x', 'Select in the list of pages'],
  ['r', 'Reply in the inbox'],
  ['e', 'Resolve in the inbox'],
  ['?', 'Show these keys'],
]

/** The list of keys. */
export function KeyHelp({ onClose }: { onClose(): void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-6 gap-y-2">
        {KEYS.map(([key, does]) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="rounded-control border border-line bg-sunk px-2 py-0.5 text-13">
                {key}
              </kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
