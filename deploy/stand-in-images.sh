#!/bin/sh
# Makes stand-ins for the three official images from Debian's packages, for a machine that can reach Debian and npm but no registry of
# images. Run as root, in the root of the repository, on a Debian 13 that you can throw away, after
#
#   apt-get install --yes docker.io docker-cli docker-compose docker-buildx debootstrap iptables
#   dockerd --storage-driver=overlay2 > dockerd.log 2>&1 &      # vfs where overlay2 does not work; it needs 40 GB
#   npx pnpm install --frozen-lockfile                          # brings the release of Node
#
# The current directory needs the entrypoints of the official images: docker-entrypoint.sh of docker-library/postgres (17/trixie) as
# postgres-entrypoint.sh, and of docker-library/rabbitmq (4.2/ubuntu) as rabbitmq-entrypoint.sh. If npm needs settings of its own, copy
# them into node24 before its image is made. Then the commands of docs/containers.md work as they are.
set -eu

# root SUITE FOLDER PACKAGES: a Debian with a user 999 that starts no servers.
root() {
  debootstrap --variant=minbase --include=ca-certificates "$1" "$2"
  printf '#!/bin/sh\nexit 101\n' > "$2/usr/sbin/policy-rc.d" && chmod +x "$2/usr/sbin/policy-rc.d"
  chroot "$2" groupadd --system --gid 999 "$4" && chroot "$2" useradd --system --uid 999 --gid 999 --home-dir "/var/lib/$4" "$4"
  mkdir --parents "$2/etc/postgresql-common" && echo 'create_main_cluster = false' > "$2/etc/postgresql-common/createcluster.conf"
  chroot "$2" apt-get install --yes --no-install-recommends $3
}
image() { folder=$1; shift; tar --directory "$folder" --create --exclude=./proc/* --exclude=./sys/* --exclude=./dev/* . | docker import "$@"; }

root trixie pg "postgresql-17 gosu" postgres
install -m 755 postgres-entrypoint.sh pg/usr/local/bin/docker-entrypoint.sh
sed -i "s/^#listen_addresses = .*/listen_addresses = '*'/" pg/usr/share/postgresql/17/postgresql.conf.sample
chroot pg install -d -o postgres -g postgres -m 1777 /docker-entrypoint-initdb.d /var/run/postgresql /var/lib/postgresql /var/lib/postgresql/data
image pg --change 'ENTRYPOINT ["docker-entrypoint.sh"]' --change 'CMD ["postgres"]' --change 'STOPSIGNAL SIGINT' \
  --change 'ENV PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/usr/lib/postgresql/17/bin PGDATA=/var/lib/postgresql/data' \
  --change 'VOLUME /var/lib/postgresql/data' - postgres:17.11

root trixie rmq "rabbitmq-server gosu" rabbitmq      # 4.0.5; forky has 4.3.6
install -m 755 rabbitmq-entrypoint.sh rmq/usr/local/bin/docker-entrypoint.sh
mkdir --parents rmq/etc/rabbitmq/conf.d && echo 'log.console = true' > rmq/etc/rabbitmq/conf.d/10-defaults.conf
echo '[rabbitmq_management,rabbitmq_prometheus].' > rmq/etc/rabbitmq/enabled_plugins
rm -f rmq/var/lib/rabbitmq/.erlang.cookie && chroot rmq chown -R rabbitmq:rabbitmq /etc/rabbitmq /var/lib/rabbitmq /var/log/rabbitmq
image rmq --change 'ENTRYPOINT ["docker-entrypoint.sh"]' --change 'CMD ["rabbitmq-server"]' --change 'VOLUME /var/lib/rabbitmq' \
  --change 'ENV PATH=/usr/lib/rabbitmq/bin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/var/lib/rabbitmq LC_ALL=C.UTF-8 RUNNING_UNDER_SYSTEMD=true' \
  - rabbitmq:4.2.9-management

root bookworm node24 libatomic1 node
install -m 755 node_modules/.bin/node node24/usr/local/bin/node
mkdir --parents node24/usr/local/lib/node_modules && cp -r "$(npm root --global)/npm" node24/usr/local/lib/node_modules/
ln -s ../lib/node_modules/npm/bin/npm-cli.js node24/usr/local/bin/npm
image node24 --change 'CMD ["node"]' --change 'ENV PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' - node:24.21.0-bookworm-slim
