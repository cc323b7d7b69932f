import { useSearchParams } from 'wouter'
import { Select } from '../ui/field.tsx'
import { parseRange, RANGES, type Range } from './ranges.ts'

/** The range of the address, and the control that changes it. */
export function useRange(): [Range, React.ReactNode] {
  const [params, setParams] = useSearchParams()
  const range = parseRange(params.get('range'))
  const choice = (
    <Select
      label="Time"
      isLabelHidden
      value={range}
      onChange={({ target }) => setParams({ range: target.value }, { replace: true })}
    >
      {Object.entries(RANGES).map(([value, name]) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </Select>
  )
  return [range, choice]
}
