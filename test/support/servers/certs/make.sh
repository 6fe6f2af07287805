#!/bin/sh
# Makes the test receiver's certificates anew: `sh test/support/servers/certs/make.sh` (needs openssl).
# The dates are fixed and far apart, so that no machine's clock can spoil a test. The CA's key is thrown away.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
touch "$work/index"
echo 1000 >"$work/serial"

names='subjectAltName = DNS:receiver.test, DNS:localhost, IP:127.0.0.1, IP:::1'
cat >"$work/ca.cnf" <<CNF
[ca]
default_ca = test
[test]
database = $work/index
serial = $work/serial
new_certs_dir = $work
default_md = sha256
unique_subject = no
policy = any
[any]
commonName = supplied
[authority]
basicConstraints = critical, CA:true
keyUsage = critical, keyCertSign
[receiver]
$names
[other-name]
subjectAltName = DNS:other.test
[req]
distinguished_name = none
[none]
CNF

key() { openssl ecparam -genkey -name prime256v1 -noout | openssl pkcs8 -topk8 -nocrypt -out "$1"; }
# issue FILE EXTENSIONS END KEY SUBJECT [-selfsign]: the CA's or, with -selfsign, the key's own signature.
issue() {
  openssl req -new -config "$work/ca.cnf" -key "$4" -subj "/CN=$5" -out "$work/request.pem"
  openssl ca -batch -notext -config "$work/ca.cnf" -extensions "$2" -startdate 20200101000000Z -enddate "$3" \
    -in "$work/request.pem" -out "$1" ${6:--cert ca.pem} -keyfile "$work/signer.pem" 2>/dev/null
}

key "$work/ca-key.pem"
key receiver-key.pem
cp "$work/ca-key.pem" "$work/signer.pem"
issue ca.pem authority 21200101000000Z "$work/ca-key.pem" 'frontdesk test CA' -selfsign
issue receiver.pem receiver 21200101000000Z receiver-key.pem receiver.test
issue expired.pem receiver 20200102000000Z receiver-key.pem receiver.test
issue other-name.pem other-name 21200101000000Z receiver-key.pem other.test
cp receiver-key.pem "$work/signer.pem"
issue self-signed.pem receiver 21200101000000Z receiver-key.pem receiver.test -selfsign
