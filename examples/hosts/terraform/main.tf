# Three virtual machines of one kind in one placement group, and the hosts of an experiment:
#
#   terraform init
#   terraform apply -var key_name=my-key -var my_address=203.0.113.7/32
#   terraform output -raw hosts >> mine.yaml
#
# They cost money until 'terraform destroy'.
terraform {
  required_version = ">= 1.5"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 5.0"
    }
  }
}

variable "region" {
  type    = string
  default = "eu-central-1"
}

variable "machines" {
  type    = number
  default = 3
}

variable "instance_type" {
  type        = string
  default     = "c6i.xlarge"
  description = "A kind whose CPU performance does not depend on credits."
}

variable "key_name" {
  type        = string
  description = "Name of an EC2 key pair; its private key must be in your ssh agent."
}

variable "my_address" {
  type        = string
  description = "Addresses that may connect by ssh, as 203.0.113.7/32."
}

provider "aws" {
  region = var.region
}

data "aws_ami" "debian" {
  most_recent = true
  owners      = ["136693071363"] # Debian

  filter {
    name   = "name"
    values = ["debian-12-amd64-*"]
  }
}

resource "aws_placement_group" "pyrometer" {
  name     = "pyrometer"
  strategy = "cluster"
}

resource "aws_security_group" "pyrometer" {
  name = "pyrometer"

  ingress {
    from_port   = 22
    to_port     = 22
    protocol    = "tcp"
    cidr_blocks = [var.my_address]
  }

  # The machines among themselves.
  ingress {
    from_port = 0
    to_port   = 0
    protocol  = "-1"
    self      = true
  }

  egress {
    from_port   = 0
    to_port     = 0
    protocol    = "-1"
    cidr_blocks = ["0.0.0.0/0"]
  }
}

resource "aws_instance" "pyrometer" {
  count                  = var.machines
  ami                    = data.aws_ami.debian.id
  instance_type          = var.instance_type
  key_name               = var.key_name
  placement_group        = aws_placement_group.pyrometer.id
  vpc_security_group_ids = [aws_security_group.pyrometer.id]

  user_data = <<-EOT
    #!/bin/sh
    apt-get update && apt-get install -y openjdk-17-jdk-headless
    sysctl -w vm.swappiness=1
  EOT

  tags = {
    Name = "pyrometer-${count.index}"
  }
}

output "hosts" {
  description = "The hosts of an experiment, reached at public addresses by ssh and at private ones by each other."
  value = yamlencode({
    hosts = [
      for machine in aws_instance.pyrometer : {
        name    = machine.tags["Name"]
        command = "ssh admin@${machine.public_ip}"
        address = machine.private_ip
      }
    ]
  })
}
