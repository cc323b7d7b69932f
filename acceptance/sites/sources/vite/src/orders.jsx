import crate from './crate.svg'

export default function Orders() {
  return (
    <>
      <h1>Orders</h1>
      <img src={crate} width="64" alt="A crate" />
      <p>Forty crates of pears.</p>
    </>
  )
}
