/** Names and their values, one pair in a line. */
export function Facts({ facts }: { facts: [name: string, value: string][] }) {
  return (
    <dl className="border-t border-line">
      {facts.map(([name, value]) => (
        <div
          key={name}
          className="flex flex-wrap justify-between gap-x-6 border-b border-line py-2.5"
        >
          <dt className="text-muted">{name}</dt>
          <dd className="tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
