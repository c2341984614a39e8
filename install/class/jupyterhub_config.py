"""JupyterHub for a class on one machine: a container for each student.

    pip install jupyterhub dockerspawner jupyterhub-idle-culler
    npm install -g configurable-http-proxy
    docker build -f binder/Dockerfile -t gokernel-course .
    jupyterhub -f install/class/jupyterhub_config.py

Whoever has an account on the machine may log in; put the authenticator of the
university in place of pam. docs/how-to/class.md has the numbers behind the limits.
"""

import sys

c = get_config()  # noqa: F821

c.JupyterHub.bind_url = "http://:8000"
c.JupyterHub.authenticator_class = "pam"
c.Authenticator.allow_all = True

# Containers reach the hub by the address of docker's bridge.
c.JupyterHub.hub_bind_url = "http://0.0.0.0:8081"
c.JupyterHub.hub_connect_ip = "172.17.0.1"

c.JupyterHub.spawner_class = "docker"
c.DockerSpawner.image = "gokernel-course"
c.DockerSpawner.remove = True
c.DockerSpawner.volumes = {"gokernel-{username}": "/home/jovyan"}
c.Spawner.notebook_dir = "~"
c.Spawner.default_url = "/lab/tree/course"

# A working server and kernel take about 250 MB. The kernel reads the limit of its container, and
# stops a cell with an error at three quarters of it.
c.Spawner.mem_limit = "1G"
c.Spawner.cpu_limit = 2

# A full machine reports that it is full, instead of becoming slow for all.
c.JupyterHub.concurrent_spawn_limit = 10
c.JupyterHub.active_server_limit = 50

# The hub stops servers that nobody has used for an hour. Their files stay.
# jupyter_server_config.json stops kernels after half an hour.
c.JupyterHub.services = [
    {"name": "cull-idle", "command": [sys.executable, "-m", "jupyterhub_idle_culler", "--timeout=3600", "--cull-every=300"]},
]
c.JupyterHub.load_roles = [
    {"name": "cull-idle", "services": ["cull-idle"], "scopes": ["list:users", "read:users:activity", "read:servers", "delete:servers"]},
]
