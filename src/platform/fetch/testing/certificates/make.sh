#!/bin/sh
# Makes the three PEM files in this folder. Run it only to replace them. They are committed because
# the openssl command may be missing, and they are valid from 2020 to 2120 so that no test fails
# because of a wrong clock. The key of the authority is deleted, so nothing else can be signed with
# it. The key of the server certificate is public: trust `ca.pem` in tests only.
set -eu
cd "$(dirname -- "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/ca.cnf" <<EOF
[req]
distinguished_name = name
[name]
[ca]
default_ca = authority
[authority]
database = $work/index.txt
new_certs_dir = $work
rand_serial = yes
default_md = sha256
policy = policy
[policy]
commonName = supplied
[root]
basicConstraints = critical, CA:TRUE, pathlen:0
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
[leaf]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = serverAuth
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
# A wildcard directly under a top-level name (*.test) is refused by every verifier.
subjectAltName = DNS:localhost, DNS:handbill.test, DNS:*.handbill.test, DNS:a.test, DNS:b.test, \
IP:127.0.0.1, IP:127.0.0.2, IP:::1
EOF
: >"$work/index.txt"

key() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1" 2>/dev/null; }
sign() {
  openssl ca -batch -notext -config "$work/ca.cnf" -startdate 20200101000000Z \
    -enddate 21200101000000Z "$@" 2>/dev/null
}
key "$work/ca.key"
key leaf.key.pem
openssl req -new -config "$work/ca.cnf" -key "$work/ca.key" -subj '/CN=Handbill test authority' \
  -out "$work/ca.csr"
openssl req -new -config "$work/ca.cnf" -key leaf.key.pem -subj '/CN=Handbill test server' \
  -out "$work/leaf.csr"
sign -selfsign -keyfile "$work/ca.key" -extensions root -in "$work/ca.csr" -out ca.pem
sign -keyfile "$work/ca.key" -cert ca.pem -extensions leaf -in "$work/leaf.csr" -out leaf.pem
openssl verify -CAfile ca.pem leaf.pem
