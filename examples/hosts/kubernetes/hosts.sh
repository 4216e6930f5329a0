#!/bin/sh
# Prints the hosts of an experiment: the pods of the StatefulSet 'pyrometer' in a namespace.
#
#   ./hosts.sh NAMESPACE
set -eu
namespace=${1:?usage: hosts.sh NAMESPACE}
echo "hosts:"
kubectl get pods -n "$namespace" -l app=pyrometer --field-selector status.phase=Running \
  -o jsonpath='{range .items[*]}{.metadata.name} {.status.podIP}{"\n"}{end}' |
  while read -r pod address; do
    echo "  - {name: $pod, command: kubectl exec -i -n $namespace $pod --, address: $address, folder: /var/pyrometer}"
  done
