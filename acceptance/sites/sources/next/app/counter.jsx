'use client'
import { useEffect, useState } from 'react'

export default function Counter({ name }) {
  const [count, setCount] = useState(0)
  useEffect(() => setCount(7), [])
  return (
    <p>
      {count} {name}
    </p>
  )
}
